/** Random writing queries, with their data. */
import { type Data, type DataObject, isDataObject } from '../evaluate/data.js';
import { type Entity, type Relation, entityNamed } from '../world/domain.js';
import { makeData } from './data.js';
import { expression } from './expression.js';
import {
  type GeneratorState,
  knownObject,
  type MutableObject,
  newObject,
  valueFor,
  withKey,
} from './object.js';
import { CROWD } from './clauses.js';
import { withRead } from './with-read.js';
import { createSketch, type Scope, scopeOf, type Sketch } from './sketch.js';
import type { Letter } from './templates.js';

export interface RandomWrite {
  readonly text: string;
  readonly data: Data;
  readonly constructs: ReadonlySet<string>;
}

/** A write to one of the small entities. */
export function makeWrite(state: GeneratorState): RandomWrite {
  const { random, domain } = state;
  const small = domain.entities.filter(({ size }) => size <= CROWD);
  const entity = random.pick(small.length > 0 ? small : domain.entities);
  const sketch = createSketch(random, domain, expression);
  const hasKey = entity.primaryKey.length > 0;
  const make = random.weighted<(writing: Writing) => Omit<RandomWrite, 'constructs'>>([
    [4, insert],
    [3, bulkInsert],
    [2, updateByFilter],
    [hasKey ? 3 : 0, updateByKey],
    [hasKey ? 3 : 0, upsert],
    [hasKey ? 2 : 0, bulkUpsert],
    [4, deleteByFilter],
    [hasKey ? 2 : 0, deleteByKey],
    [0.3, all],
  ]);
  const write = make({ state, sketch, entity });
  return { ...write, constructs: sketch.constructs };
}

interface Writing {
  readonly state: GeneratorState;
  readonly sketch: Sketch;
  readonly entity: Entity;
}

function clause({ sketch }: Writing, ...names: readonly string[]): string {
  const name = sketch.random.pick(names);
  sketch.constructs.add(name);
  return name;
}

/** Inserts a whole object, an object by name, or some members. */
function insert(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const { random } = sketch;
  const name = clause(writing, 'insert', 'insert', 'push');
  const included = includedIn(writing);
  const object = { ...newObject(state, entity, included.without), ...included.members };
  const form = random.weighted([
    [5, 'whole'],
    [1, 'named'],
    [1, 'object'],
    [1, 'list'],
    [1, 'computed'],
  ] as const);
  if (form === 'whole') return { text: `${entity.name}.${name}()${included.text}`, data: object };
  sketch.constructs.add(`${name} ${form}`);
  if (form === 'named')
    return { text: `${entity.name}.${name}(e)${included.text}`, data: { e: object } };
  const given = Object.keys(object).filter((key) =>
    entity.properties.some((each) => each.name === key),
  );
  if (form === 'list') {
    const list = random.chance(0.5) ? `[${given.join(', ')}]` : `()=>[${given.join(', ')}]`;
    return { text: `${entity.name}.${name}(${list})${included.text}`, data: object };
  }
  const members = given.map(
    (key) => `${key}: ${form === 'computed' ? computed(writing, key, object[key] ?? null) : key}`,
  );
  const body = `{${members.join(', ')}}`;
  return { text: `${entity.name}.${name}(${body})${included.text}`, data: object };
}

/** The values that Rowgate computes from the member of the same name, unless it has a wrong type. */
function computed({ sketch, entity }: Writing, name: string, value: Data): string {
  const property = entity.properties.find((each) => each.name === name);
  const { random } = sketch;
  const isReference = entity.relations.some(({ from }) => from.includes(name));
  const isText = typeof value === 'string' && property?.type !== 'string';
  if (isReference || isText || random.chance(0.5) || property?.autoIncrement) return name;
  switch (property?.type) {
    case 'integer':
      return random.pick([
        `${name} ?? 3`,
        `abs(${name})`,
        `${name}-${name}+7`,
        `(${name} ?? 0) % 2 + (${random.pick(['-3', '7', '10'])}) ** ${random.below(20)}`,
      ]);
    case 'decimal':
      return random.pick([
        `${name}*1.5`,
        `round(${name}, 1)`,
        `${name} ?? 2.25`,
        `1.${1 + random.below(9)} ** ${random.pick([0, 3, 10, 11])}`,
        `(${name} ?? 0) % 2 + (${random.pick(['-3', '7'])}) ** ${random.pick([0, 5, 22, 23])}`,
      ]);
    case 'string':
      return random.pick([
        `upper(${name})`,
        `trim(${name})`,
        `${name} ?? "none"`,
        `substring(${name}, 1, 5)`,
      ]);
    case 'boolean':
      return random.pick([`!${name}`, `${name} ?? true`]);
    default:
      return name;
  }
}

function bulkInsert(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const included = includedIn(writing);
  const objects = Array.from({ length: sketch.random.below(5) }, (_, index) => {
    const { members } = index === 0 ? included : includedIn(writing, included.relation);
    return { ...newObject(state, entity, included.without), ...members };
  });
  clause(writing, 'bulkInsert');
  return sketch.random.chance(0.8)
    ? { text: `${entity.name}.bulkInsert()${included.text}`, data: objects }
    : { text: `${entity.name}.bulkInsert(rows)${included.text}`, data: { rows: objects } };
}

/** Sets properties to expressions over the row, or to parameters. */
function updateByFilter(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const { random } = sketch;
  const { assignments, data } = assignmentsFor(writing);
  const scope = filterScope(writing);
  const conditions = Array.from({ length: random.chance(0.25) ? 2 : 1 }, () =>
    expression(scope, 'b', random.below(3)),
  );
  const name = clause(writing, 'update');
  const isMapped = random.chance(0.7);
  const filter = conditions.map((condition) => `.filter(p=>${condition})`).join('');
  const parameters = makeData(state.random, sketch.parameters);
  const text = isMapped ? `.${name}(p=>({${assignments}}))` : `.${name}({${data.text}})`;
  const whole = random.chance(0.5) ? text + filter : filter + text;
  return { text: entity.name + whole, data: { ...objectOf(parameters), ...data.values } };
}

function filterScope({ sketch, entity }: Writing): Scope {
  return scopeOf(sketch, entity, 'p');
}

function objectOf(data: Data): DataObject {
  return isDataObject(data) ? data : {};
}

const letterOf: Readonly<Record<string, Letter>> = {
  integer: 'i',
  decimal: 'd',
  string: 's',
  boolean: 'b',
  dateTime: 't',
  date: 'y',
  time: 'c',
  uuid: 'u',
  binary: 'x',
};

/** Sets some properties that are not keys to expressions, and others to parameters `v_name`. */
function assignmentsFor({ state, sketch, entity }: Writing) {
  const { random } = sketch;
  const keys = [
    ...entity.primaryKey,
    ...entity.uniqueKey,
    ...entity.relations.flatMap(({ from }) => from),
  ];
  const free = entity.properties.filter(({ name }) => !keys.includes(name));
  const some = random.some(free.length > 0 ? free : entity.properties, 1 + random.below(2));
  const chosen = withRead(random, free, some);
  const scope = { ...scopeOf(sketch, entity, 'p'), isOwn: true };
  const empty: Entity = { ...entity, properties: [], relations: [] };
  const rowless = { ...scopeOf(sketch, empty, 'p'), isOwn: true };
  const assignments = chosen.flatMap((property) => {
    const letter = letterOf[property.type];
    // Rowgate changes only values that it can evaluate without the row.
    const isFixed = property.writeValue !== undefined && random.chance(0.7);
    const value =
      letter === undefined
        ? `p.${property.name}`
        : expression(isFixed ? rowless : scope, letter, random.below(2), '^');
    return [`${property.name}: ${value}`];
  });
  const values: MutableObject = {};
  const texts = chosen.map((property) => {
    values[`v_${property.name}`] = valueFor(state, entity, property);
    return `${property.name}: v_${property.name}`;
  });
  if (assignments.length === 0) assignments.push(`${chosen[0]?.name ?? 'id'}: null`);
  return { assignments: assignments.join(', '), data: { text: texts.join(', '), values } };
}

function updateByKey(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const { random } = sketch;
  const name = clause(writing, 'update');
  const form = random.pick(['whole', 'whole', 'named', 'list', 'children'] as const);
  sketch.constructs.add(`${name} ${form}`);
  const object = knownObject(state, entity);
  switch (form) {
    case 'named':
      return { text: `${entity.name}.${name}(e)`, data: { e: object } };
    case 'list':
      return { text: `${entity.name}.${name}()`, data: [object, knownObject(state, entity)] };
    case 'children': {
      const included = includedIn(writing, undefined, true);
      const text = `${entity.name}.${name}()${included.text}`;
      return { text, data: { ...object, ...included.members } };
    }
    default:
      return { text: `${entity.name}.${name}()`, data: object };
  }
}

function upsert(writing: Writing): { text: string; data: Data } {
  const { entity, sketch } = writing;
  const name = clause(writing, 'upsert', 'merge');
  const included = sketch.random.chance(0.3)
    ? includedIn(writing, undefined, true)
    : { text: '', members: {} };
  const object = { ...upserted(writing), ...included.members };
  return { text: `${entity.name}.${name}()${included.text}`, data: object };
}

/** A new object, or one of an existing row, by its primary or its unique key. */
function upserted({ state, entity }: Writing): MutableObject {
  const { random } = state;
  const isByUnique = entity.uniqueKey.length > 0 && random.chance(0.3);
  if (random.chance(0.35)) return newObject(state, entity);
  const object = knownObject(state, entity, isByUnique ? entity.uniqueKey : entity.primaryKey);
  return random.chance(0.5)
    ? { ...newObject(state, entity, entity.primaryKey), ...object }
    : object;
}

function bulkUpsert(writing: Writing): { text: string; data: Data } {
  const { entity, sketch } = writing;
  const objects = Array.from({ length: sketch.random.below(5) }, () => upserted(writing));
  const name = clause(writing, 'bulkUpsert', 'bulkMerge');
  return { text: `${entity.name}.${name}()`, data: objects };
}

function deleteByFilter(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const { random } = sketch;
  const scope = filterScope(writing);
  const children = childrenIn(writing);
  // Deletes few rows at a time, so that some are left.
  const conditions = [expression(scope, 'b', 1), expression(scope, 'b', 1)];
  if (children?.isMany && random.chance(0.8)) {
    const [own] = entityNamed(state.domain, children.entity).properties;
    const exists = `exists(p.${children.name}, q=>isNotNull(q.${own?.name ?? ''}))`;
    conditions.splice(0, random.chance(0.3) ? 1 : 2, exists);
  }
  const name = clause(writing, 'delete', 'remove');
  const data = makeData(state.random, sketch.parameters);
  const filter = `.filter(p=>${conditions.join(random.chance(0.8) ? ' && ' : ').filter(p=>')})`;
  return { text: `${entity.name}.${name}()${filter}${includeOf(children)}`, data };
}

function deleteByKey(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const name = clause(writing, 'delete', 'remove');
  const keyOf = () => onlyKey(entity, knownObject(state, entity));
  const data = sketch.random.chance(0.3) ? [keyOf(), keyOf()] : keyOf();
  return { text: `${entity.name}.${name}()${includeOf(childrenIn(writing))}`, data };
}

/** Nothing, or a relation whose rows are deleted with those that they refer to. */
function childrenIn({ sketch, entity }: Writing): Relation | undefined {
  const fitting = entity.relations.filter(
    ({ entity: target, declared, through }) =>
      declared === undefined && !through && target !== entity.name,
  );
  const hasKey = entity.primaryKey.length > 0;
  if (fitting.length === 0 || !hasKey || sketch.random.chance(0.25)) return undefined;
  sketch.constructs.add('delete children');
  return sketch.random.pick(fitting);
}

function includeOf(relation: Relation | undefined): string {
  return relation ? `.include(p=>p.${relation.name})` : '';
}

function onlyKey({ primaryKey }: Entity, object: DataObject): DataObject {
  const entries = primaryKey.map((name) => [name, object[name] ?? null] as const);
  return Object.fromEntries(entries);
}

function all(writing: Writing): { text: string; data: Data } {
  const { state, sketch, entity } = writing;
  const name = clause(writing, 'updateAll', 'updateAll', 'deleteAll');
  if (name === 'deleteAll') return { text: `${entity.name}.deleteAll()`, data: {} };
  const { assignments } = assignmentsFor(writing);
  const data = makeData(state.random, sketch.parameters);
  return { text: `${entity.name}.updateAll(p=>({${assignments}}))`, data };
}

interface WrittenInclude {
  readonly text: string;
  readonly members: MutableObject;
  /** Foreign keys that the includes provide. */
  readonly without: readonly string[];
  readonly relation: Relation | undefined;
}

/**
 * Nothing, or a relation with new objects; `same` is the relation of the previous objects. Merged
 * objects have a key.
 */
function includedIn(
  { state, sketch, entity }: Writing,
  same?: Relation,
  isMerged = false,
): WrittenInclude {
  const { random, domain } = state;
  const none = { text: '', members: {}, without: [], relation: undefined };
  const fitting = entity.relations.filter(({ entity: target, through }) => {
    const hasKey = entityNamed(domain, target).primaryKey.length > 0;
    return target !== entity.name && !through && (hasKey || !isMerged);
  });
  const relation =
    same ?? (random.chance(0.4) && fitting.length > 0 ? random.pick(fitting) : undefined);
  if (!relation) return none;
  sketch.constructs.add(relation.isMany ? 'write children' : 'write a referred row');
  const target = entityNamed(domain, relation.entity);
  const text = `.include(p=>p.${relation.name})`;
  if (relation.isMany) {
    const parts = Array.from({ length: random.below(4) }, () =>
      isMerged
        ? withKey(state, target, newObject(state, target, relation.to))
        : newObject(state, target, relation.to),
    );
    return { text, members: { [relation.name]: parts }, without: [], relation };
  }
  const isBack = relation.declared === undefined;
  const made = newObject(state, target, isBack ? relation.to : []);
  const object = isMerged ? withKey(state, target, made) : made;
  const member = random.chance(0.8) ? object : null;
  const without = member === null || isBack ? [] : relation.from;
  return { text, members: { [relation.name]: member }, without, relation };
}
