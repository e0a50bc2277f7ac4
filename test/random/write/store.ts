/** Rows during a write, and its faults. */
import { groupBy } from '../evaluate/group-by.js';
import { isWhole, keyText, relatedRows, type Row, type Tables } from '../evaluate/tables.js';
import { isEnumValue, isNumeric, type Value } from '../evaluate/value.js';
import { unsure } from '../evaluate/unsure.js';
import type { Domain, Entity, Property } from '../world/domain.js';
import type { View } from '../world/view.js';
import type { WriteFault } from './outcome.js';
import { isInRange } from './typed.js';

export interface Store {
  readonly domain: Domain;
  readonly tables: Map<string, readonly Row[]>;
  /** The rows before the write. */
  readonly before: Tables;
  readonly faults: Set<WriteFault>;
  /** Whether the stored values are those of the data. */
  readonly isGiven: boolean;
  /** Generated keys that are in no answer. */
  readonly guessed: Set<string>;
  /** The view through which the client writes. */
  readonly view: View | undefined;
  /** The written rows, and whether the view showed each of them when it was written. */
  readonly written: Map<Row, { readonly entity: Entity; readonly isShown: boolean }>;
}

/** What a store is created from. */
export interface StorePlan {
  readonly domain: Domain;
  readonly tables: Tables;
  readonly view?: View | undefined;
}

export function createStore({ domain, tables, view }: StorePlan, isGiven: boolean): Store {
  const [faults, guessed] = [new Set<WriteFault>(), new Set<string>()];
  const written: Store['written'] = new Map();
  const before = tables;
  return { domain, tables: new Map(tables), before, faults, isGiven, guessed, view, written };
}

export function rowsOf({ tables }: Store, { name }: Entity): readonly Row[] {
  return tables.get(name) ?? [];
}

export function addRow(store: Store, entity: Entity, row: Row): void {
  store.tables.set(entity.name, [...rowsOf(store, entity), row]);
  checkKeys(store, entity);
}

export function replaceRows(store: Store, entity: Entity, changed: ReadonlyMap<Row, Row>): void {
  store.tables.set(
    entity.name,
    rowsOf(store, entity).map((row) => changed.get(row) ?? row),
  );
  checkKeys(store, entity);
}

export function removeRows(store: Store, entity: Entity, removed: ReadonlySet<Row>): void {
  store.tables.set(
    entity.name,
    rowsOf(store, entity).filter((row) => !removed.has(row)),
  );
}

/** Records a value that the property cannot store. */
export function checkValue(store: Store, property: Property, value: Value): void {
  checkChanging(store, property, value);
  if (!isInRange(property, value)) store.faults.add('range');
}

/** Records a value that is refused even if another one is stored instead. */
export function checkChanging(
  { faults, isGiven, view }: Store,
  property: Property,
  value: Value,
): void {
  const { name, type, required } = property;
  if (value === null) {
    const isHidden = view?.entities.some(({ properties }) =>
      properties.some((each) => each.exclude && each.name === name),
    );
    if (required && type === 'enum' && isHidden)
      unsure('the first value of an enum, which MariaDB stores if there is none');
    if (required) faults.add(isGiven ? 'missing' : 'null');
    return;
  }
  if (!hasType(type, value)) faults.add('type');
  if (type === 'enum' && !isEnumValue(value)) faults.add('enum');
  if (!isShort(property, value)) faults.add('length');
}

/** Whether a string is not longer than its column. */
export function isShort({ length }: Property, value: Value): boolean {
  return typeof value !== 'string' || length === undefined || [...value].length <= length;
}

/** Whether the value can be one of that type; only numbers and booleans are checked. */
export function hasType(type: Property['type'], value: Value): boolean {
  if (value === null) return true;
  if (type === 'boolean') return typeof value === 'boolean';
  const isNumber = type === 'integer' || type === 'decimal' || type === 'number';
  return !isNumber || isNumeric(value);
}

/** Whether no two rows have the same key. Keys with null are never equal. */
function checkKeys(store: Store, entity: Entity): void {
  for (const names of [entity.primaryKey, entity.uniqueKey]) {
    if (names.length === 0) continue;
    const whole = rowsOf(store, entity).filter((row) => isWhole(row, names));
    const groups = groupBy(whole, (row) => keyText(row, names));
    if ([...groups.values()].some(({ length }) => length > 1)) store.faults.add('unique');
  }
}

/** Whether every relation that the database enforces leads to a row. */
export function checkReferences(store: Store): void {
  const { domain, tables, faults } = store;
  for (const entity of domain.entities) {
    for (const relation of entity.relations) {
      if (!relation.declared || relation.isWeak || relation.isMany) continue;
      const isBroken = rowsOf(store, entity).some(
        (row) => isWhole(row, relation.from) && relatedRows(tables, row, relation).length === 0,
      );
      if (isBroken) faults.add('foreign');
    }
  }
}
