/** Random views: some entities and properties are excluded, and others are filtered or read otherwise. */
import { tooLarge } from '../evaluate/decimal.js';
import type { Tables } from '../evaluate/tables.js';
import { Unsure } from '../evaluate/unsure.js';
import { expression, isSortable, lettersIn, typeOfLetter } from '../generate/expression.js';
import { createSketch, type Scope, scopeOf } from '../generate/sketch.js';
import { mayOverflow } from '../judge/judge.js';
import type { Random } from '../random.js';
import type { Domain, Entity, Property } from './domain.js';
import { seenThrough, type View, type ViewEntity, type ViewProperty } from './view.js';

interface Plan {
  readonly domain: Domain;
  readonly tables: Tables;
}

const EXCLUDED_ENTITY = 0.12;
const FILTERED = 0.35;
/** The probabilities for a property and for one of a key or a relation. */
const EXCLUDED = { usual: 0.15, key: 0.05 };
const READ = { usual: 0.12, key: 0.04 };
const TRIES = 8;
/** Filters read related rows by sub-selects, in which the type of a part of JSON is not known. */
const relatedPart = /\.\w+\.(doc|json)\b/;

/** The view `narrow`. Of each entity, some properties by which rows can be sorted are left. */
export function makeView(random: Random, plan: Plan): View {
  const name = 'narrow';
  const entities: ViewEntity[] = [];
  const last = plan.domain.entities.at(-1);
  for (const entity of plan.domain.entities) {
    // At least one entity is left.
    const isExcluded = entity !== last && random.chance(EXCLUDED_ENTITY);
    const one = isExcluded
      ? ({ name: entity.name, exclude: true, properties: [] } as const)
      : restricted(random, plan, entity);
    if (one.exclude || one.readExp !== undefined || one.properties.length > 0) entities.push(one);
  }
  return { name, entities };
}

function restricted(random: Random, plan: Plan, entity: Entity): ViewEntity {
  const { name } = entity;
  const condition = random.chance(FILTERED)
    ? lambdaFor(random, plan, entity, (scope, depth) => expression(scope, 'b', depth, '^'))
    : undefined;
  const isPossible = condition !== undefined && !readsFarRows(plan.domain, condition);
  const filter = isPossible && { readExp: condition };
  const isSafe = (readExp: string) => isDefined(plan, { name, readExp, properties: [] });
  const properties: ViewProperty[] = [];
  const isKey = keysOf(plan.domain, entity);
  for (const property of entity.properties) {
    const kind = isKey(property.name) ? 'key' : 'usual';
    if (random.chance(EXCLUDED[kind])) properties.push({ name: property.name, exclude: true });
    else if (random.chance(READ[kind])) {
      const readExp = readExpFor(random, plan, entity, property);
      if (readExp !== undefined) properties.push({ name: property.name, readExp });
    }
  }
  const left = entity.properties.filter(
    ({ name: each, type }) =>
      isSortable(type) && !properties.some((other) => other.exclude && other.name === each),
  );
  const isFiltered = filter && isSafe(filter.readExp);
  return {
    name,
    ...(isFiltered && filter),
    properties: left.length > 1 ? properties : [],
  };
}

/** Whether it aggregates a relation of another row than its own, which a filter cannot. */
function readsFarRows({ entities }: Domain, text: string): boolean {
  const many = entities.flatMap(({ relations }) =>
    relations.flatMap(({ isMany, name }) => (isMany ? [name] : [])),
  );
  return many.length > 0 && new RegExp(`\\w\\.\\w+\\.(${many.join('|')})\\b`).test(text);
}

/** Whether a property belongs to a key or a relation. */
function keysOf({ entities }: Domain, entity: Entity): (name: string) => boolean {
  const ends = entities.flatMap(({ name, relations }) =>
    relations.flatMap(({ from, entity: target, to }) => [
      ...(name === entity.name ? from : []),
      ...(target === entity.name ? to : []),
    ]),
  );
  const names = new Set([...entity.primaryKey, ...entity.uniqueKey, ...ends]);
  return (name) => names.has(name);
}

/** An expression of the type of the property. */
function readExpFor(
  random: Random,
  plan: Plan,
  entity: Entity,
  { name, type }: Property,
): string | undefined {
  const lambda = lambdaFor(random, plan, entity, (scope, depth) => {
    const letter = lettersIn(scope).find((each) => typeOfLetter[each] === type);
    return letter && expression(scope, letter, depth, '^');
  });
  const view = lambda && { name: entity.name, properties: [{ name, readExp: lambda }] };
  return view && isDefined(plan, view) ? lambda : undefined;
}

/** A lambda without parameters that computes with small numbers only; undefined if none was found. */
function lambdaFor(
  random: Random,
  plan: Plan,
  entity: Entity,
  make: (scope: Scope, depth: number) => string | undefined,
): string | undefined {
  for (let number = 0; number < TRIES; number += 1) {
    const sketch = createSketch(random, plan.domain, expression);
    const scope = scopeOf(sketch, entity, 'p');
    const body = make({ ...scope, isOwn: random.chance(0.5) }, random.pick([1, 1, 2]));
    const isUsable = body !== undefined && sketch.parameters.size === 0 && !relatedPart.test(body);
    if (isUsable && !mayOverflow(plan, { text: body, data: {} })) return `p=>${body}`;
  }
  return undefined;
}

/** Whether the evaluator knows what the view shows. */
function isDefined(plan: Plan, entity: ViewEntity): boolean {
  const before = tooLarge.count;
  try {
    seenThrough({ name: 'narrow', entities: [entity] }, plan);
  } catch (error) {
    if (error instanceof Unsure) return false;
    throw error;
  }
  return tooLarge.count === before;
}
