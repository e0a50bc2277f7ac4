/** Applies a write to rows in memory: its answer, and the rows afterwards. */
import type { QuerySyntax } from '../../../src/engine/language/ast.js';
import { clausesOf, lambdaOf } from '../evaluate/clauses.js';
import { type Data, type DataObject, isDataObject } from '../evaluate/data.js';
import { integer } from '../evaluate/decimal.js';
import type { Expected, ExpectedRow, ExpectedRows } from '../evaluate/expected.js';
import { evaluate } from '../evaluate/expression.js';
import { within } from '../evaluate/place.js';
import { unsure } from '../evaluate/unsure.js';
import { relatedRows, type Row } from '../evaluate/tables.js';
import { type Answered, isNumber } from '../judge/answered.js';
import { type Entity, entityNamed, type Relation } from '../world/domain.js';
import { assignmentsOf, checkGiven, checkSet, isUnknown, keyRow, setRow } from './assignments.js';
import { checkStored } from './constraints.js';
import type { WriteOutcome } from './outcome.js';
import {
  checkReferences,
  createStore,
  removeRows,
  replaceRows,
  type Store,
  type StorePlan,
} from './store.js';
import { checkSteady, checkWritten, placeOf, seenOf, targetOf, wholeOf } from './seen.js';
import { type Included, includedOf, storeObject, type StoreAction } from './store-object.js';

const actions: Readonly<Record<string, 'insert' | 'update' | 'upsert' | 'delete'>> = {
  insert: 'insert',
  push: 'insert',
  bulkInsert: 'insert',
  update: 'update',
  updateAll: 'update',
  upsert: 'upsert',
  merge: 'upsert',
  bulkUpsert: 'upsert',
  bulkMerge: 'upsert',
  delete: 'delete',
  remove: 'delete',
  deleteAll: 'delete',
};

export function isWrite({ clauses }: QuerySyntax): boolean {
  return clauses.some(({ name }) => Object.hasOwn(actions, name));
}

/** Generated keys are taken from the answer. */
export function applyWrite(
  plan: StorePlan,
  query: QuerySyntax,
  data: Data,
  answered: Answered,
): WriteOutcome {
  const clause = query.clauses.find(({ name }) => Object.hasOwn(actions, name));
  if (!clause) throw new Error('no write');
  const action = actions[clause.name] ?? 'insert';
  const chosen = assignmentsOf(clause.arguments[0], data);
  const store = createStore(plan, chosen.entries === undefined);
  const entity = entityNamed(seenOf(store).domain, query.entity);
  const write: Write = {
    store,
    entity,
    query,
    data,
    chosen,
    included: includesOf(query),
    answered,
  };
  const isAll = clause.name.endsWith('All');
  const isKeyed = action !== 'insert' && !isAll && !isFiltered(query);
  if (isKeyed && isKeyless(store, entity, action, write.included)) store.faults.add('keyless');
  const answer =
    action === 'insert' || action === 'upsert'
      ? storeAll(write, action)
      : changeAll(write, action, isAll);
  checkReferences(store);
  const { faults, guessed, view } = store;
  if (faults.size === 0) checkStored(store);
  // A row that refers to itself, and is hidden, refers to a hidden row as well.
  const isUnsteady = [...faults].every((each) => each === 'outside' || each === 'foreign');
  if (isUnsteady) checkSteady(store);
  if (faults.size === 0 && guessed.size > 0 && (view || isNumber(answered)))
    unsure('generated keys that no answer has');
  return { faults, tables: faults.size > 0 ? plan.tables : store.tables, answer };
}

function isFiltered({ clauses }: QuerySyntax): boolean {
  return clausesOf(clauses).all('filter').length > 0;
}

/** Whether a primary key by which rows are found is hidden; an update or upsert finds included rows, too. */
function isKeyless(
  store: Store,
  { primaryKey, relations }: Entity,
  action: string,
  included: readonly Included[],
): boolean {
  if (primaryKey.length === 0) return true;
  if (action === 'delete') return false;
  return included.some((each) => {
    const relation = relations.find(({ name }) => name === each.name);
    return relation && isKeyless(store, targetOf(store, relation), action, each.included);
  });
}

interface Write {
  readonly store: Store;
  readonly entity: Entity;
  readonly query: QuerySyntax;
  readonly data: Data;
  readonly chosen: ReturnType<typeof assignmentsOf>;
  readonly included: readonly Included[];
  readonly answered: Answered;
}

function includesOf({ clauses }: QuerySyntax): readonly Included[] {
  return clausesOf(clauses)
    .all('include')
    .flatMap((each) => includedOf(lambdaOf(each).body));
}

/** Stores the objects in order. */
function storeAll(write: Write, action: StoreAction): Expected {
  const { store, entity, chosen, included, answered } = write;
  const stored = (object: DataObject, reply: Answered): ExpectedRow =>
    storeObject({ store, action, answered: reply }, entity, { object, chosen, included }).expected;
  const { objects } = chosen;
  if (!Array.isArray(objects)) return stored(objectOf(objects), answered);
  const rows = objects.map((each, index) => {
    const row = stored(objectOf(each), (Array.isArray(answered) ? answered[index] : null) ?? null);
    // A later row of the list does not repair a missing reference.
    checkReferences(store);
    return row;
  });
  return inOrder(rows);
}

function inOrder(rows: readonly ExpectedRow[]): ExpectedRows {
  return { kind: 'rows', classes: rows.map((row) => [row]), from: 0, to: Infinity };
}

function objectOf(data: Data | undefined): DataObject {
  if (!isDataObject(data)) throw new Error('no object');
  return data;
}

/** An update or a delete: by filter, of all rows, or by the keys in the data. */
function changeAll(write: Write, action: 'update' | 'delete', isAll: boolean): Expected {
  if (isFiltered(write.query) || isAll) return counted(changeChosen(write, action));
  const { objects } = write.chosen;
  const list = Array.isArray(objects) ? objects : [objects];
  return counted(
    list.reduce<number>((sum, each) => {
      const changed = changeByKey(write, action, objectOf(each));
      // A later row of the list does not repair a missing reference, either.
      if (action === 'update') checkReferences(write.store);
      return sum + changed;
    }, 0),
  );
}

function counted(count: number): Expected {
  return { kind: 'value', value: integer(BigInt(count)) };
}

function changeChosen(write: Write, action: 'update' | 'delete'): number {
  const { store, entity, chosen, query, data } = write;
  const object = isDataObject(chosen.objects) ? chosen.objects : {};
  if (action === 'update')
    checkSet(store, wholeOf(store, entity), setOf(entity, chosen, object, []));
  if (action === 'update' && isUnknown(entity, chosen)) {
    const view = store.view?.entities.find(({ name }) => name === entity.name);
    if (view?.properties.some(({ readExp }) => readExp !== undefined))
      unsure('a property of the row that the view may read as a constant');
    store.faults.add('unknown');
    return 0;
  }
  const outside = placeOf(store, data);
  const filters = clausesOf(query.clauses).all('filter').map(lambdaOf);
  const rows = [...seenOf(store).shown(entity.name)].flatMap(([stored, row]) => {
    const isMeant = filters.every(
      (each) => evaluate(within(outside, each, { entity, row }), each.body) === true,
    );
    return isMeant ? [stored] : [];
  });
  if (action === 'delete') removeTree(write, rows);
  else {
    checkGiven(store, entity, { object, chosen });
    checkNobody(write, rows.length);
    const changed = rows.map(
      (row) => [row, setRow(store, entity, row, { object, chosen })] as const,
    );
    replaceRows(store, wholeOf(store, entity), new Map(changed));
    const set = setOf(entity, chosen, object, []);
    for (const [, row] of changed) checkWritten(store, entity, row, set);
  }
  return rows.length;
}

/** Removes rows after the rows of their includes that refer to them. */
function removeTree({ store, entity, included }: Write, rows: readonly Row[]): void {
  for (const { name } of included) {
    const relation = entity.relations.find((each) => each.name === name);
    if (!relation) throw new Error(`no relation ${name}`);
    const shown = seenOf(store).shown(relation.entity);
    const children = rows.flatMap((row) => relatedRows(store.tables, row, relation));
    removeRows(store, targetOf(store, relation), new Set(children.filter((row) => shown.has(row))));
  }
  removeRows(store, entity, new Set(rows));
}

/** The names of the properties that a write of an object sets. */
function setOf(
  { properties }: Entity,
  { entries }: Write['chosen'],
  object: DataObject,
  provided: readonly string[],
): readonly string[] {
  const names = entries?.map(({ key }) => key) ?? Object.keys(object);
  return [...names, ...provided].filter((name) => properties.some((each) => each.name === name));
}

const computed: readonly string[] = ['call', 'unary', 'binary', 'conditional'];

/**
 * It is not defined whether a computed value that no column can store is refused if it would be stored
 * in no row.
 */
function checkNobody({ store: { faults }, entity, chosen }: Write, rows: number): void {
  if (rows > 0 || faults.size === 0) return;
  if (faults.has('range')) unsure('a number out of range that is not stored');
  const { entries = [] } = chosen;
  const isChanged = entity.properties.some(
    ({ name, writeValue }) => writeValue && entries.some(({ key }) => key === name),
  );
  // Of given values, only a computed one is null at this point.
  if (faults.has('null') && (entries.length === 0 || isChanged))
    unsure('null that is computed for no row');
  const isComputed = entries.some(({ value }) => computed.includes(value.kind));
  if (isComputed) unsure('a value that is computed for no row');
}

/** Updates an object by key with its includes: existing related rows are updated, others inserted. */
function changeByKey(write: Write, action: 'update' | 'delete', object: DataObject): number {
  const { store, entity, chosen, included } = write;
  const isGivenKey = ({ name, from, isMany }: Relation): boolean =>
    !isMany && from.some((each) => entity.primaryKey.includes(each)) && refersTo(name);
  const refersTo = (name: string): boolean =>
    isDataObject(object[name]) && included.some((each) => each.name === name);
  const row = keyRow(store, entity, object);
  if (!row) {
    const provided = entity.relations
      .filter(({ name, isMany, declared }) => !isMany && declared && refersTo(name))
      .flatMap(({ from }) => from);
    const given = Object.entries(object).filter(([name]) => !provided.includes(name));
    if (action === 'update') {
      checkGiven(store, entity, { object: Object.fromEntries(given), chosen });
      checkSet(store, wholeOf(store, entity), setOf(entity, chosen, object, provided));
    }
    checkNobody(write, 0);
    // If no row is updated, the included objects and the keys that they provide need not be checked.
    const hasOthers = included.some(({ name }) => Boolean(object[name]));
    if (hasOthers && !isNumber(write.answered)) unsure('errors in a write that changes no row');
    return 0;
  }
  if (action === 'delete') removeTree(write, [row]);
  else if (entity.relations.some(isGivenKey))
    unsure('a row with the key of another object in the data');
  else
    storeObject({ store, action: 'update', answered: null }, entity, { object, chosen, included });
  return 1;
}
