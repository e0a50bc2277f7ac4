/** Stores an object in the rows: the objects that it refers to before it, and its parts after it. */
import type { Expression } from '../../../src/engine/language/ast.js';
import { callsOn, lambdaOf } from '../evaluate/clauses.js';
import { type DataObject, isDataObject } from '../evaluate/data.js';
import { type Decimal, decimal, integer } from '../evaluate/decimal.js';
import type { Expected, ExpectedRow } from '../evaluate/expected.js';
import type { Row } from '../evaluate/tables.js';
import { isDecimal, type Value } from '../evaluate/value.js';
import { type Answered, isNumber, isObject } from '../judge/answered.js';
import type { Entity, Relation } from '../world/domain.js';
import { valueOfText } from '../world/values.js';
import {
  type Assigned,
  checkSet,
  type Chosen,
  rowByKey,
  valuesOf,
  withValues,
} from './assignments.js';
import { checkConstraints, checkUpserted } from './constraints.js';
import { valueOver } from './row-expression.js';
import { checkDefaulted, checkWritten, seenOf, shownRow, targetOf, wholeOf } from './seen.js';
import { addRow, replaceRows, type Store } from './store.js';
import { unsure } from '../evaluate/unsure.js';

export type StoreAction = 'insert' | 'upsert' | 'update';

/** A relation whose objects are written, too, with their includes. */
export interface Included {
  readonly name: string;
  readonly included: readonly Included[];
}

/** The includes of `p.details` or `[p.details.include(…), p.customer]`. */
export function includedOf(body: Expression): readonly Included[] {
  const items = body.kind === 'list' ? body.items : [body];
  return items.map((item) => {
    const { head, calls } = callsOn(item);
    const inner = calls.filter(({ name }) => name === 'include');
    return {
      name: head.kind === 'member' ? head.name : '',
      included: inner.flatMap((each) => includedOf(lambdaOf(each).body)),
    };
  });
}

export interface Storing {
  readonly store: Store;
  readonly action: StoreAction;
  /** The answer of the program for the object, which has the generated keys. */
  readonly answered: Answered;
}

export interface StoredObject {
  readonly row: Row;
  readonly expected: ExpectedRow;
}

interface Given extends Assigned {
  readonly included: readonly Included[];
}

const whole: Chosen = { objects: null, variable: undefined, entries: undefined };

/** Stores an object with its includes. `forced` are the key values of the row that it belongs to. */
export function storeObject(
  storing: Storing,
  entity: Entity,
  given: Given,
  forced: ReadonlyMap<string, Value> = new Map(),
): StoredObject {
  const { store, answered } = storing;
  const { object, included } = given;
  const members = new Map<string, Expected>();
  const keys = new Map(forced);
  const relations = included.map((each) => [relationNamed(entity, each.name), each] as const);
  const replyOf = (name: string): Answered =>
    isObject(answered) ? (answered[name] ?? null) : null;
  const below = (reply: Answered): Storing => ({
    store,
    action: storing.action === 'insert' ? 'insert' : 'upsert',
    answered: reply,
  });
  const isReferred = ({ isMany, declared }: Relation) => !isMany && declared !== undefined;
  for (const [relation, inner] of relations.filter(([each]) => isReferred(each))) {
    const related = object[relation.name];
    if (!isDataObject(related)) {
      members.set(relation.name, { kind: 'value', value: null });
      continue;
    }
    const stored = storeObject(below(replyOf(relation.name)), targetOf(store, relation), {
      object: related,
      chosen: whole,
      included: inner.included,
    });
    members.set(relation.name, stored.expected);
    for (const [name, value] of keyBetween(stored.row, relation.to, relation.from))
      keys.set(name, value);
  }
  const row = storeRow(storing, entity, given, keys);
  for (const [relation, inner] of relations.filter(([each]) => !isReferred(each))) {
    const parts = partsOf(object, relation);
    const replies = relation.isMany ? replyOf(relation.name) : [replyOf(relation.name)];
    const key = keyBetween(row, relation.from, relation.to);
    const rows = parts.map((part, index) => {
      const reply = (Array.isArray(replies) ? replies[index] : null) ?? null;
      const entry = { object: part, chosen: whole, included: inner.included };
      return storeObject(below(reply), targetOf(store, relation), entry, key).expected;
    });
    members.set(
      relation.name,
      relation.isMany ? inOrder(rows) : (rows[0] ?? { kind: 'value', value: null }),
    );
  }
  const own = [...shownRow(store, entity, row)].map(
    ([name, value]) => [name, { kind: 'value', value }] as const,
  );
  return {
    row,
    expected: { kind: 'row', members: new Map<string, Expected>([...own, ...members]) },
  };
}

/** The values of a row by the names that the properties have on the other side of a relation. */
function keyBetween(
  row: Row,
  names: readonly string[],
  others: readonly string[],
): ReadonlyMap<string, Value> {
  return new Map(others.map((other, index) => [other, row.get(names[index] ?? '') ?? null]));
}

function inOrder(rows: readonly ExpectedRow[]): Expected {
  return { kind: 'rows', classes: rows.map((row) => [row]), from: 0, to: Infinity };
}

function relationNamed({ name: entity, relations }: Entity, name: string): Relation {
  const relation = relations.find((each) => each.name === name);
  if (!relation) throw new Error(`${entity} has no relation ${name}`);
  return relation;
}

function partsOf(object: DataObject, { name, isMany }: Relation): readonly DataObject[] {
  const value = object[name];
  if (isMany) return Array.isArray(value) ? value.filter(isDataObject) : [];
  return isDataObject(value) ? [value] : [];
}

/** Updates the existing row, or inserts one. */
function storeRow(
  storing: Storing,
  entity: Entity,
  assigned: Assigned,
  keys: ReadonlyMap<string, Value>,
): Row {
  const { store, action } = storing;
  const known = action === 'insert' ? undefined : knownRow(store, entity, assigned, keys);
  const values = valuesOf(store, entity, assigned, action === 'update' ? known : undefined);
  const all = new Map([...values, ...keys]);
  const mayExist = action === 'update' || (action === 'upsert' && hasKey(entity, all));
  if (mayExist) checkSet(store, wholeOf(store, entity), [...all.keys()]);
  if (mayExist && action === 'upsert') checkUpserted(wholeOf(store, entity), all, known);
  if (known) checkConstraints(store, wholeOf(store, entity), all);
  const row = known
    ? withValues(store, entity, known, all)
    : insertRow(storing, wholeOf(store, entity), all);
  if (known) replaceRows(store, wholeOf(store, entity), new Map([[known, row]]));
  if (known && action === 'upsert') {
    checkDefaulted(store, entity, row, all);
    checkUnused(storing, wholeOf(store, entity), all);
  }
  const set = [...(known ? all : row).keys()];
  // An update finds the row by its primary key, and does not set it.
  const isSet = (name: string) => action !== 'update' || !entity.primaryKey.includes(name);
  checkWritten(store, entity, row, set.filter(isSet));
  return row;
}

function hasKey({ primaryKey, uniqueKey }: Entity, values: ReadonlyMap<string, Value>): boolean {
  return [primaryKey, uniqueKey].some(
    (key) => key.length > 0 && key.every((name) => (values.get(name) ?? null) !== null),
  );
}

/** The row with its primary key, or else with its unique key. */
function knownRow(
  store: Store,
  entity: Entity,
  assigned: Assigned,
  keys: ReadonlyMap<string, Value>,
): Row | undefined {
  const values = valuesOf(store, entity, { ...assigned, chosen: whole }, undefined);
  const valueOf = (name: string) => keys.get(name) ?? values.get(name) ?? null;
  const isKeyed = entity.primaryKey.every((name) => valueOf(name) !== null);
  const key = isKeyed ? entity.primaryKey : entity.uniqueKey;
  return rowByKey(store, entity, key, valueOf);
}

function insertRow(storing: Storing, entity: Entity, values: ReadonlyMap<string, Value>): Row {
  const row = madeRow(storing, entity, values);
  addRow(storing.store, entity, row);
  return row;
}

/** The row with generated keys and defaults. */
function madeRow(storing: Storing, entity: Entity, values: ReadonlyMap<string, Value>): Row {
  const { store } = storing;
  const all = new Map<string, Value>();
  for (const { name, type, default: standard, autoIncrement } of entity.properties) {
    const given = values.get(name);
    const fallback =
      standard === undefined ? null : valueOfText(type, defaultText(String(standard)));
    const isGenerated = autoIncrement === true && (given ?? null) === null;
    all.set(
      name,
      isGenerated ? generatedKey(storing, entity, name) : given === undefined ? fallback : given,
    );
  }
  withValues(store, entity, new Map(), values);
  // No default is computed from a value that is refused for its type.
  const isComputable = !store.faults.has('type');
  for (const { name, computed } of entity.properties) {
    if (computed && isComputable && values.get(name) === undefined)
      all.set(name, valueOver(entity, computed, all));
  }
  checkConstraints(store, entity, all);
  return withValues(store, entity, new Map(), all);
}

/** The database also computes the defaults of a row that an upsert finds: it is not defined whether they must be in range. */
function checkUnused(storing: Storing, entity: Entity, values: ReadonlyMap<string, Value>): void {
  const { store } = storing;
  const faults: Store['faults'] = new Set();
  const unused = { ...store, faults, guessed: new Set(store.guessed) };
  madeRow({ ...storing, store: unused }, entity, values);
  const isNew = faults.has('range') && !store.faults.has('range');
  if (isNew) unsure('a default out of range that an upsert does not store');
}

/** A default in quotes is an expression of the schema. */
function defaultText(text: string): string {
  return /^".*"$/su.test(text) ? text.slice(1, -1) : text;
}

const INTEGER_MAX = 2n ** 31n;

/** Whether a guessed key beside it is an integer of 32 bits. */
function isFree(value: Value): value is Decimal {
  return isDecimal(value) && value.scale === 0 && value.units < INTEGER_MAX - 2n * FAR;
}

/** Guessed keys are far from all others, so that no data refer to one by chance. */
const FAR = 1_000_000n;

/** The key in the answer; if there is none, a free one. */
function generatedKey({ store, answered }: Storing, entity: Entity, name: string): Value {
  const isSame = seenOf(store).isSame(entity, name);
  const generated = isObject(answered) && isSame ? answered[name] : undefined;
  if (isNumber(generated)) return integer(BigInt(generated.value));
  store.guessed.add(name);
  // Rows may refer to a key that no row has.
  const rows = [...store.tables.values()].flat();
  const taken = rows.flatMap((row) => [...row.values()].filter(isFree));
  const most = taken.reduce((a, b) => (a.units < b.units ? b : a), decimal(0n));
  return integer(most.units + FAR);
}
