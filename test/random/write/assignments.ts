/** What a write sets: the members of its data, or what its map selects from them. */
import type { Expression } from '../../../src/engine/language/ast.js';
import type { Data, DataObject } from '../evaluate/data.js';
import { evaluate } from '../evaluate/expression.js';
import { dataAt, namesOf, type Place } from '../evaluate/place.js';
import type { Row } from '../evaluate/tables.js';
import { unsure } from '../evaluate/unsure.js';
import { dataValue, identityOf, type Value } from '../evaluate/value.js';
import { type Entity, type Property, readBy } from '../world/domain.js';
import { hasMoment, isEvaluated } from './evaluated-functions.js';
import { changed } from './row-expression.js';
import { checkConstraints } from './constraints.js';
import { seenOf, wholeOf } from './seen.js';
import { checkChanging, checkValue, hasType, type Store } from './store.js';
import { typed } from './typed.js';

/**
 * The object or list to write, and what is selected from each object; without a selection, all members.
 */
export interface Chosen {
  readonly objects: Data;
  readonly variable: string | undefined;
  readonly entries: readonly { readonly key: string; readonly value: Expression }[] | undefined;
}

/** `insert()`, `insert(entity)`, `insert({name: title})`, `insert([name, e.city])`, `update(p=>({x: p.y}))`. */
export function assignmentsOf(argument: Expression | undefined, data: Data): Chosen {
  if (!argument) return { objects: data, variable: undefined, entries: undefined };
  if (argument.kind === 'lambda') {
    return { ...assignmentsOf(argument.body, data), variable: argument.parameter };
  }
  if (argument.kind === 'object')
    return { objects: data, variable: undefined, entries: argument.entries };
  if (argument.kind === 'list') {
    const entries = argument.items.map((value) => ({ key: namesOf(value)?.at(-1) ?? '', value }));
    return { objects: data, variable: undefined, entries };
  }
  return {
    objects: dataAt(data, namesOf(argument) ?? []) ?? null,
    variable: undefined,
    entries: undefined,
  };
}

export interface Assigned {
  readonly object: DataObject;
  readonly chosen: Chosen;
}

/**
 * The values by property. In expressions, the variable is the row if there is one, otherwise the data.
 */
export function valuesOf(
  store: Store,
  entity: Entity,
  { object, chosen }: Assigned,
  row: Row | undefined,
): ReadonlyMap<string, Value> {
  const { entries, variable } = chosen;
  const values = new Map<string, Value>();
  const members = entries ?? [];
  if (!entries) {
    for (const { name } of entity.properties) {
      if (object[name] !== undefined) values.set(name, dataValue(object[name]));
    }
    return values;
  }
  const seen = seenOf(store);
  const shown = row && seen.shown(entity.name).get(row);
  const variables =
    shown && variable !== undefined ? [[variable, { entity, row: shown }] as const] : [];
  const place: Place = {
    evaluate,
    domain: seen.domain,
    tables: seen.tables,
    data: variable !== undefined && !row ? { ...object, [variable]: object } : object,
    variables: new Map(variables),
    ...(!row && { hasExactPowers: true }),
  };
  for (const { key, value } of members) values.set(key, evaluate(place, value));
  return values;
}

/** The row with the new values. Records values that its properties cannot store. */
export function setRow(store: Store, entity: Entity, row: Row, assigned: Assigned): Row {
  return withValues(store, entity, row, valuesOf(store, entity, assigned, row));
}

/** Values in the data are checked before any row is looked up. */
export function checkGiven(store: Store, entity: Entity, { object, chosen }: Assigned): void {
  const entries = chosen.entries?.filter(({ value }) => !readsVariable(value, chosen.variable));
  const given = valuesOf(store, entity, { object, chosen: { ...chosen, entries } }, undefined);
  withValues(store, entity, new Map(), given);
  checkConstraints(store, wholeOf(store, entity), given);
}

/**
 * Whether an update sets a property with a `writeValue` to a value that only the database can compute: it
 * depends on the row, or uses a function that Rowgate does not evaluate.
 */
export function isUnknown({ properties }: Entity, { entries = [], variable }: Chosen): boolean {
  return entries.some(({ key, value }) => {
    const property = properties.find(({ name }) => name === key);
    if (!property?.writeValue) return false;
    const others = entries.filter((each) => readBy(property).includes(each.key));
    const known = [value, ...others.map((each) => each.value)];
    if (known.some((each) => readsVariable(each, variable) || !isEvaluated(each))) return true;
    if (property.type === 'string' && hasMoment(value)) unsure('the text of a date');
    return false;
  });
}

function readsVariable(expression: Expression, variable: string | undefined): boolean {
  if (variable === undefined) return false;
  const text = JSON.stringify(expression);
  return text.includes(`"kind":"name","name":"${variable}"`);
}

/** Records a property that is computed from another one that the write of a known row does not set. */
export function checkSet(store: Store, { properties }: Entity, set: readonly string[]): void {
  const isPartial = (property: Property) =>
    set.includes(property.name) && readBy(property).some((name) => !set.includes(name));
  if (properties.some(isPartial)) store.faults.add('unset');
}

/** The row with the values that are stored of the given ones. */
export function withValues(
  store: Store,
  entity: Entity,
  row: Row,
  values: ReadonlyMap<string, Value>,
): Row {
  const all = new Map(row);
  const shown = seenOf(store).names(entity);
  const others = new Map(
    entity.properties.flatMap((property) => {
      const value = values.get(property.name);
      return value === undefined ? [] : [[property.name, typed(property, value)] as const];
    }),
  );
  const isTyped = entity.properties.every(({ name, type }) =>
    hasType(type, others.get(name) ?? null),
  );
  for (const property of entity.properties) {
    const value = values.get(property.name);
    if (value === undefined) continue;
    const given = typed(property, value);
    const isHidden = !shown.includes(property.name);
    checkChanging(isHidden ? { ...store, isGiven: false } : store, property, given);
    // No value is computed from one that is refused for its type.
    const isComputable = isTyped && readBy(property).every((name) => others.has(name));
    const stored = isComputable ? changed(entity, property, given, others) : given;
    const isChanged = given !== null && stored === null;
    // What is stored instead may be null, which is in range.
    if (isComputable)
      checkValue(isChanged ? { ...store, isGiven: false } : store, property, stored);
    all.set(property.name, stored);
  }
  return all;
}

/** The row with the primary key of the object; undefined if there is none. */
export function keyRow(store: Store, entity: Entity, object: DataObject): Row | undefined {
  return rowByKey(store, entity, entity.primaryKey, (name) => dataValue(object[name]));
}

/** The visible row with those values of a key. Null values match no row. */
export function rowByKey(
  store: Store,
  entity: Entity,
  key: readonly string[],
  valueOf: (name: string) => Value,
): Row | undefined {
  const properties = key.flatMap((name) => entity.properties.filter((each) => each.name === name));
  const wanted = properties.map(
    (property) => [property.name, typed(property, valueOf(property.name))] as const,
  );
  if (wanted.length === 0 || wanted.some(([, value]) => value === null)) return undefined;
  return [...seenOf(store).shown(entity.name).keys()].find((row) =>
    wanted.every(([name, value]) => identityOf(row.get(name) ?? null) === identityOf(value)),
  );
}
