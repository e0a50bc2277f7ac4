/** What the client of a write sees of the rows: all of them, or what a view shows. */
import { evaluate } from '../evaluate/expression.js';
import type { Place } from '../evaluate/place.js';
import { unsure } from '../evaluate/unsure.js';
import { isWhole, relatedRows, type Row, type Tables } from '../evaluate/tables.js';
import type { Data } from '../evaluate/data.js';
import { type Domain, type Entity, entityNamed, type Relation } from '../world/domain.js';
import { keepsProperty, seenDomain, seenThrough, shownRows } from '../world/view.js';
import { rowsOf, type Store } from './store.js';

export interface Seen {
  readonly domain: Domain;
  readonly tables: Tables;
  /** The visible rows of an entity: by the stored row, what is shown of it. */
  shown(entity: string): ReadonlyMap<Row, Row>;
  /** The names of the visible properties. */
  names(entity: Entity): readonly string[];
  /** Whether a property is shown as it is stored. */
  isSame(entity: Entity, property: string): boolean;
}

/** What the client sees of the present rows. */
export function seenOf({ domain, tables, view, faults }: Store): Seen {
  const namesOf = ({ properties }: Entity) => properties.map(({ name }) => name);
  const asStored = (name: string) =>
    new Map((tables.get(name) ?? []).map((row) => [row, row] as const));
  if (!view) return { domain, tables, shown: asStored, names: namesOf, isSame: () => true };
  const seen = seenDomain(view, domain);
  // The expressions of a view are not defined for values of other types. The write is refused anyway.
  const isDefined = !faults.has('type');
  return {
    domain: seen,
    get tables() {
      return isDefined ? seenThrough(view, { domain, tables }).tables : tables;
    },
    shown: (name) => (isDefined ? shownRows(view, { domain, tables }, name) : asStored(name)),
    names: ({ name }) => namesOf(entityNamed(seen, name)),
    isSame: ({ name }, property) => keepsProperty(view, name, property),
  };
}

/** The place outside of all lambdas. */
export function placeOf(store: Store, data: Data): Place {
  const { domain, tables } = seenOf(store);
  return { evaluate, domain, tables, data, variables: new Map() };
}

/** The whole entity, with what the view hides. */
export function wholeOf({ domain }: Store, { name }: Entity): Entity {
  return entityNamed(domain, name);
}

/** The entity to which a relation leads, as the client sees it. */
export function targetOf(store: Store, { entity }: Relation): Entity {
  return entityNamed(seenOf(store).domain, entity);
}

/** A row as the client sees it. What is answered about an invisible row does not matter. */
export function shownRow(store: Store, entity: Entity, row: Row): Row {
  return seenOf(store).shown(entity.name).get(row) ?? row;
}

/**
 * A written row must be visible, and so must the rows to which it refers by the properties that were
 * set.
 */
export function checkWritten(store: Store, entity: Entity, row: Row, set: readonly string[]): void {
  const { view, faults, domain } = store;
  if (!view) return;
  const seen = seenOf(store);
  const isVisible = seen.shown(entity.name).has(row);
  store.written.set(row, { entity, isShown: isVisible });
  if (!isVisible) faults.add('outside');
  for (const relation of wholeOf(store, entity).relations) {
    const { declared, isWeak, isMany, from, entity: target } = relation;
    if (!declared || isWeak || isMany || !from.some((name) => set.includes(name))) continue;
    const isShown = seen.domain.entities.some(({ name }) => name === target);
    if (!isShown) continue;
    const [found] = isWhole(row, from) ? relatedRows(store.tables, row, relation) : [];
    if (found && !seen.shown(entityNamed(domain, target).name).has(found)) faults.add('foreign');
  }
}

/** It is not defined whether an upsert of an existing row checks references that a default would fill. */
export function checkDefaulted(store: Store, entity: Entity, row: Row, given: Row): void {
  const { properties, relations } = wholeOf(store, entity);
  const hasDefault = (name: string) =>
    !given.has(name) &&
    properties.some((each) => each.name === name && (each.default ?? each.computed) !== undefined);
  for (const { from, declared, entity: target } of relations) {
    if (!store.view || !declared || !isWhole(row, from) || !from.some(hasDefault)) continue;
    const isFiltered = store.view.entities.some((each) => each.name === target && each.readExp);
    if (isFiltered) unsure('whether a default is a reference that an upsert writes');
  }
}

/**
 * It is not defined when a row is checked whose condition depends on rows of the same write, as relations see them. The
 * same goes for the rows to which it refers.
 */
export function checkSteady(store: Store): void {
  const seen = seenOf(store);
  for (const [row, { entity, isShown }] of store.written) {
    if (referredRows(store, entity, row).some(([name, each]) => changes(store, name, each)))
      unsure('a reference to a row that the same write shows or hides');
    const isPresent = rowsOf(store, entity).includes(row);
    const isNow = !isPresent || seen.shown(entity.name).has(row) === isShown;
    if (!isNow || isShownBefore(store, entity, row) !== isShown)
      unsure('a condition of a view on rows that the same write changes');
  }
}

/** The rows to which a row refers, and the names of their entities. */
function referredRows(store: Store, entity: Entity, row: Row): readonly (readonly [string, Row])[] {
  return wholeOf(store, entity).relations.flatMap((relation) => {
    const { declared, isMany, from, entity: target } = relation;
    if (!declared || isMany || !isWhole(row, from)) return [];
    return relatedRows(store.tables, row, relation).map((each) => [target, each] as const);
  });
}

/** Whether the view shows the row only before the write, or only after it. */
function changes({ view, domain, tables, before }: Store, name: string, row: Row): boolean {
  if (!view || before.get(name)?.includes(row) !== true) return false;
  const isShown = (all: Tables) => shownRows(view, { domain, tables: all }, name).has(row);
  return isShown(before) !== isShown(tables);
}

/** Whether the view would show the row beside the rows before the write. */
function isShownBefore({ view, domain, before }: Store, { name }: Entity, row: Row): boolean {
  if (!view) return true;
  const tables = new Map(before).set(name, [...(before.get(name) ?? []), row]);
  return shownRows(view, { domain, tables }, name).has(row);
}
