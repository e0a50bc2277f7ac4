/** Random reading queries: every clause, in any order. */
import type { Random } from '../random.js';
import type { Domain, Entity, Relation } from '../world/domain.js';
import {
  column,
  expression,
  isComparable,
  isSortable,
  lettersIn,
  sortableIn,
} from './expression.js';
import {
  CROWD,
  cutOf,
  directed,
  filtersOf,
  lambda,
  type MapText,
  mapOf,
  noMap,
  sortOf,
} from './clauses.js';
import { alike, ALIKE } from './alike.js';
import { groupClauses } from './group.js';
import { include, includesOf } from './include.js';
import { createSketch, innermost, parameter, type Scope, scopeOf } from './sketch.js';

/** A query without its data. */
export interface RandomQuery {
  readonly text: string;
  readonly parameters: ReadonlySet<string>;
  readonly constructs: ReadonlySet<string>;
}

/** A query on one of the entities. */
export function makeQuery(random: Random, domain: Domain): RandomQuery {
  const sketch = createSketch(random, domain, expression);
  const entity = chosenEntity(random, domain);
  const scope = scopeOf(sketch, entity, random.pick(['p', 'p', 'p', 'x', '$a_1']));
  const depth = entity.size > CROWD ? random.below(2) : random.pick([0, 1, 2, 3]);
  const clauses = random.weighted([
    [6, plainClauses],
    [2, groupClauses],
    [1, distinctClauses],
    [1, countClauses],
    [1.5, keyedClauses],
  ] as const)(scope, depth);
  const text = dressed(random, entity.name, clauses);
  const { parameters, constructs } = sketch;
  return { text, parameters, constructs };
}

/** Large entities are queried less often. */
function chosenEntity(random: Random, { entities }: Domain): Entity {
  return random.weighted(entities.map((each) => [each.size > CROWD ? 0.3 : 1, each] as const));
}

/** Adds white space, comments and a final `;`, which mean nothing. */
function dressed(random: Random, entity: string, clauses: readonly string[]): string {
  const text = entity + random.shuffled(clauses).join('');
  if (random.chance(0.9)) return text;
  return random.pick([`${text};`, `()=>${text}`, ` ${text}\n`, `/* a */${text}/* ; */`]);
}

/** The clauses of a query without groups. */
function plainClauses(scope: Scope, depth: number): readonly string[] {
  const { random } = scope.sketch;
  const isCut = random.chance(0.3);
  const cut = isCut ? cutOf(scope, depth) : { text: '', hasMap: false };
  const map = cut.hasMap ? noMap : mapOf(scope, depth);
  const parts = [
    ...filtersOf(scope, depth),
    map.text,
    random.chance(0.5) ? sortOf(scope, depth, map.sortable) : '',
    cut.text,
    random.chance(0.35) ? includesOf(scope, depth, 1, map.names) : '',
  ];
  return parts.filter((part) => part !== '');
}

/** The rows of a distinct query can only be sorted by its columns, and include only what these determine. */
function distinctClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  const { name, entity } = innermost(scope);
  constructs.add('distinct');
  const isSorted = random.chance(0.5);
  const chosen = random.chance(0.3)
    ? random.some(entity.relations.filter(canInclude(entity, isSorted)), 1)
    : [];
  const keys = chosen.flatMap(({ from }) => from.map((each) => `${name}.${each}`));
  const others = Array.from(
    { length: keys.length > 0 ? random.below(2) : 1 + random.below(2) },
    () => {
      if (random.chance(ALIKE)) return alike(scope);
      const letter = random.pick((isSorted ? sortableIn : lettersIn)(scope));
      return random.chance(0.6)
        ? (column(scope, letter) ?? `${name}.${anyOf(scope, isSorted)}`)
        : expression(scope, letter, depth, '^');
    },
  );
  const values = [...keys, ...others];
  const entries = values.map((value, index) => `x${index}: ${value}`).join(', ');
  const sorted = values.map((_, index) => directed(scope, `${name}.x${index}`)).join(', ');
  const cut = random.pick([
    '',
    '',
    '.page(1, 5)',
    '.page(2, 2)',
    '.first()',
    '.last()',
    '.take(2)',
    '.count()',
  ]);
  return [
    `.distinct(${lambda(scope, `({${entries}})`)})`,
    ...filtersOf(scope, depth),
    isSorted ? `.sort(${name}=>[${sorted}])` : '',
    ...(cut === '.count()' ? [] : chosen).map(
      (relation) => `.include(${name}=>${include(scope, relation, depth, 1)})`,
    ),
    cut,
  ].filter((part) => part !== '');
}

function anyOf(scope: Scope, isSorted: boolean): string {
  return scope.sketch.random.pick(keysOf(innermost(scope).entity, isSorted));
}

/** The properties by which rows can be distinct and, if needed, sorted. */
function keysOf({ properties }: Entity, isSorted: boolean): readonly string[] {
  const keys = properties.filter(
    ({ type }) => isComparable(type) && (!isSorted || isSortable(type)),
  );
  return keys.map((each) => each.name);
}

function canInclude(entity: Entity, isSorted: boolean): (relation: Relation) => boolean {
  const keys = keysOf(entity, isSorted);
  return ({ from }) => from.every((each) => keys.includes(each));
}

function countClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  constructs.add('count');
  const cut = random.pick(['', '', '.page(1, 5)', '.page(2, 3)', '.first()', '.take(3)']);
  return ['.count()', ...filtersOf(scope, depth), cut].filter((part) => part !== '');
}

/** String literals of the query are bound before the keys of requests that run as one statement. */
function mapWithText(scope: Scope): MapText {
  const mapped = { names: ['x0', 'x1'], sortable: ['x0', 'x1'] };
  const [text, value] = [expression(scope, 's', 0, '#'), expression(scope, 'i', 1, '^')];
  return { text: `.map(${lambda(scope, `({x0: ${text}, x1: ${value}})`)})`, ...mapped };
}

/**
 * A condition that a property equals a parameter. Waiting requests of this form run as one statement.
 */
function keyedClauses(scope: Scope, depth: number): readonly string[] {
  const { random, constructs } = scope.sketch;
  const { entity, name } = innermost(scope);
  const types = {
    integer: 'i1',
    string: 's1',
    decimal: 'n1',
    dateTime: 'at1',
    date: 'd1',
    uuid: 'uuid1',
  } as const;
  const fitting = entity.properties.flatMap(({ name: property, type }) => {
    const parameterName = Object.hasOwn(types, type)
      ? types[type as keyof typeof types]
      : undefined;
    return parameterName === undefined ? [] : [{ property, parameterName }];
  });
  if (fitting.length === 0) return countClauses(scope, depth);
  const { property, parameterName } = random.pick(fitting);
  constructs.add(`keyed ${parameterName}`);
  const condition = `${name}.${property}==${parameter(scope, parameterName)}`;
  const filter = `.filter(${lambda(scope, condition)})`;
  const map = random.chance(0.5) ? mapOf(scope, 1) : mapWithText(scope);
  return [
    filter,
    map.text,
    random.chance(0.3) ? sortOf(scope, 1, map.sortable) : '',
    random.chance(0.3) ? includesOf(scope, 1, 2, map.names) : '',
  ].filter((part) => part !== '');
}
