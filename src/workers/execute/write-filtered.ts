/** Updates and deletes by a filter. The statements of the whole tree run in one round trip. */
import {
  assignedNumbers,
  type ByteRow,
  type Capabilities,
  type FilteredWrite,
  checkFilteredWrite,
  type CompiledQuery,
  type DataValue,
  EngineError,
  type Fields,
  invariant,
  isDataObject,
  type KeyedBy,
  type PropertyType,
  type ParameterValues,
  readRelatedRows,
  RowBytes,
  type SelectAfter,
  type StatementPlan,
  parameterizeStatement,
  Texts,
  valueAt,
  WriteRow,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { Written } from '../database/statement.js';
import { keysAs } from './keys-to-ask.js';
import type { WriteStatement } from './merge-writes.js';
import { storedTexts } from './stored-text.js';
import { requireChecks } from './write-checks.js';
import { type RunWrites, writeIncluded } from './write-rows.js';

/** An update or a delete with the values of its parameters. */
export interface FilteredOrder {
  readonly plan: CompiledQuery;
  readonly values: ParameterValues;
  readonly data: DataValue | undefined;
  /** The most bytes of rows that a statement may return, because they are kept. */
  readonly rowBytesMax: number;
  /** The instant of the request, and the functions that need it. */
  readonly capabilities: Capabilities;
}

export function filteredWriteOf({ write }: StatementPlan): FilteredWrite {
  invariant(write?.kind === 'filtered', 'a statement whose rows a filter finds');
  return write;
}

/** Returns the order with the values to store. Throws before anything runs. */
export function checkOrder(order: FilteredOrder): FilteredOrder {
  const { root } = order.plan;
  return { ...order, values: checkFilteredWrite(root, filteredWriteOf(root), order) };
}

/** Deletes the rows of each order, after those that refer to them; returns the number of root rows. */
export async function deleteFiltered(
  run: RunWrites,
  orders: readonly FilteredOrder[],
): Promise<number> {
  const root = orders[0]?.plan.root;
  if (!root) return 0;
  if (filteredWriteOf(root).byKey) return deleteByKeys(run, orders);
  const statements = orders.map(({ plan, values }) =>
    deleteStatements(plan.root, values, UNLOCKED),
  );
  let count = 0;
  for (let start = 0; start < orders.length; start += ORDERS_AT_ONCE) {
    const some = statements.slice(start, start + ORDERS_AT_ONCE);
    const results = await run(some.flat(), start + ORDERS_AT_ONCE >= orders.length, root);
    let end = 0;
    for (const each of some) {
      end += each.length;
      count += results[end - 1]?.count ?? 0;
    }
  }
  return count;
}

/** How many orders are sent together. */
const ORDERS_AT_ONCE = 500;

/** Locks the rows and deletes them by their keys, so the filters are evaluated before anything is deleted. */
async function deleteByKeys(run: RunWrites, orders: readonly FilteredOrder[]): Promise<number> {
  let count = 0;
  for (const [index, { plan, values, rowBytesMax }] of orders.entries()) {
    const { root } = plan;
    const { types = [] } = filteredWriteOf(root).byKey ?? {};
    const [locked] = await run(beforeOf(root, values, rowBytesMax), false, root);
    const rows = rowsOf(locked).map((row) => storedTexts(row, 0, types.length));
    const statements = keyedStatements(root, values, { types, rows });
    for (let start = 0; start < statements.length; start += ORDERS_AT_ONCE) {
      await run(statements.slice(start, start + ORDERS_AT_ONCE), false, root);
    }
    if (index === orders.length - 1) await run([], true, root);
    count += rows.length;
  }
  return count;
}

/** The keys of locked rows, and the types of their columns. */
interface LockedRows {
  readonly types: readonly PropertyType[];
  readonly rows: readonly Fields[];
}

const UNLOCKED: LockedRows = { types: [], rows: [] };

/** The most parts of keys in one statement; MySQL's protocol does not allow twice as many. */
const PARTS_AT_ONCE = 32_768;

/** The most parts of a key in a statement of the tree. */
function partsOf({ arguments: given, includes }: StatementPlan): number {
  const own = given.map((each) => (each.kind === 'parentKeys' ? (each.parts?.length ?? 1) : 1));
  return Math.max(1, ...own, ...includes.map(({ statement }) => partsOf(statement)));
}

function keyedStatements(
  root: StatementPlan,
  values: ParameterValues,
  { types, rows }: LockedRows,
): readonly WriteStatement[] {
  const referring: WriteStatement[] = [];
  const own: WriteStatement[] = [];
  const atOnce = Math.floor(PARTS_AT_ONCE / partsOf(root));
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = { types, rows: rows.slice(start, start + atOnce) };
    referring.push(...referringStatements(root, values, some));
    own.push(...ownStatements(root, values, some));
  }
  return [...referring, ...own];
}

/** Updates the rows of an order, then writes its included rows. Returns the number of root rows. */
export async function updateFiltered(run: RunWrites, order: FilteredOrder): Promise<number> {
  const { plan, values, data, capabilities, rowBytesMax } = order;
  const { root } = plan;
  const only = statementOf(root, values);
  const hasIncludes = root.includes.length > 0;
  if (!hasIncludes && !filteredWriteOf(root).checks) {
    const [written] = await run([only], true, root);
    return written?.count ?? 0;
  }
  const statement = { ...only, rowBytesMax };
  const before = beforeOf(root, values, rowBytesMax);
  if (!hasIncludes) {
    const results = await run([...before, statement], false, root);
    await storedRows(run, root, rowsOf(results[0]));
    await run([], true, root);
    return results.at(-1)?.count ?? 0;
  }
  const related = readRelatedRows(root, data, filteredWriteOf(root).base, capabilities);
  const results = await run([...before, statement], false, root);
  const parents = await storedRows(run, root, rowsOf(results[0]));
  if (parents.length > 1 && related.some((rows) => rows.length > 0)) throw severalParents();
  const rows = parents.map((stored) => {
    const row = new WriteRow('data', new Texts(), new Texts(), related);
    row.stored = stored;
    return row;
  });
  await writeIncluded(run, root, rows);
  return parents.length;
}

function rowsOf(written: Written | undefined): readonly ByteRow[] {
  const { rows } = written ?? { rows: new RowBytes() };
  return rows.starts.flatMap((_, index) => rows.at(index) ?? []);
}

/** A statement that returns the rows before an update, if the update cannot return them itself. */
function beforeOf(
  root: StatementPlan,
  values: ParameterValues,
  rowBytesMax: number,
): WriteStatement[] {
  const { before } = filteredWriteOf(root);
  if (!before) return [];
  return [{ ...parameterizeStatement({ ...root, ...before }, values, []), rowBytesMax }];
}

/** The updated rows as they are stored, checked. The results of checks, or the keys of the rows, come after the columns. */
async function storedRows(
  run: RunWrites,
  root: StatementPlan,
  rows: readonly ByteRow[],
): Promise<readonly ByteRow[]> {
  const { checks = [], after } = filteredWriteOf(root);
  const { length } = root.columns;
  const keys = after && rows.map((row) => storedTexts(row, length, after.types.length));
  const found = keys ? await rowsAfter(run, root, after, keys) : rows;
  const isWhole = found.length >= rows.length;
  // The columns of included rows change the key in the same way.
  if (checks.length === 0) return isWhole ? found : rows;
  if (!isWhole) throw notFound(root);
  for (const row of found) {
    requireChecks(checks, {
      entity: root.entity,
      dialect: root.dialect,
      answers: storedTexts(row, length, checks.length),
      place: undefined,
      isWritten: () => true,
    });
  }
  return found;
}

/** The most keys in one statement. The last key is repeated to fill up to a power of two. */
const KEYS_AT_ONCE = 512;

/** The rows that are found by these keys. A column may store a key differently: then its row is missing. */
async function rowsAfter(
  run: RunWrites,
  root: StatementPlan,
  { head, types }: SelectAfter,
  keys: readonly Fields[],
): Promise<ByteRow[]> {
  const stored: ByteRow[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const some = keys.slice(start, start + KEYS_AT_ONCE);
    const last = some.at(-1) ?? [];
    const size = 2 ** Math.ceil(Math.log2(some.length));
    while (some.length < size) some.push(last);
    const key = `(${types.map(() => '?').join(', ')})`;
    const text = `${head}(${some.map(() => key).join(', ')})`;
    const statement = { text, parameters: some.flat(), types: some.flatMap(() => types) };
    const [written] = await run([statement], false, root);
    stored.push(...rowsOf(written));
  }
  return stored;
}

function notFound({ entity }: StatementPlan): SourceError {
  const detail = `A row of entity ${entity} cannot be read after the update, because it is not found by its key: the column stores the key differently. Give times, numbers and binary data exactly as the column stores them.`;
  return new SourceError('refused-by-database', { detail });
}

/** Included rows are deleted before their parents. */
function deleteStatements(
  statement: StatementPlan,
  values: ParameterValues,
  lockedRows: LockedRows,
): WriteStatement[] {
  return [
    ...referringStatements(statement, values, lockedRows),
    ...ownStatements(statement, values, lockedRows),
  ];
}

function referringStatements(
  { includes }: StatementPlan,
  values: ParameterValues,
  lockedRows: LockedRows,
): WriteStatement[] {
  return includes.flatMap((each) => deleteStatements(each.statement, values, lockedRows));
}

function ownStatements(
  statement: StatementPlan,
  values: ParameterValues,
  lockedRows: LockedRows,
): WriteStatement[] {
  return [statementOf(statement, values, keysOf(statement, lockedRows))];
}

/** The values of a column without duplicates. */
function keysOf(
  { arguments: given, dialect }: StatementPlan,
  { types, rows }: LockedRows,
): readonly string[] {
  const keys = given.find((argument) => argument.kind === 'parentKeys');
  if (keys?.column === undefined) return [];
  const { type, column } = keys;
  const texts = new Set(rows.flatMap((row) => row[column] ?? []));
  return keysAs({ type, dialect }, types[column], [...texts]);
}

function statementOf(
  plan: StatementPlan,
  values: ParameterValues,
  keys: readonly string[] = [],
): WriteStatement {
  const { text, parameters, types } = parameterizeStatement(plan, values, keys);
  const write = filteredWriteOf(plan);
  const { storedTable: table, storedSchema: schema, merged } = write;
  const merge = merged && ({ kind: 'update', into: write.table, merged, plan, values } as const);
  const numbers = () => ({ table: write.table, columns: assignedNumbers(write, values) });
  return { text, parameters, types, table, schema, numbers, merge };
}

/** The properties of the data that an update may write; undefined if the query names them. */
export function presentProperties(
  { presentIn }: FilteredWrite,
  data: DataValue | undefined,
): readonly string[] | undefined {
  if (!presentIn) return undefined;
  const object = valueAt(data ?? null, presentIn.path);
  const place = ['data', ...presentIn.path].join('.');
  const found = presentIn.properties.filter(
    (name) => isDataObject(object) && Object.hasOwn(object, name),
  );
  if (found.length > 0) return found;
  const message = 'The data has no property that the update could set.';
  throw new EngineError('parameter-missing', message, { place });
}

/** The data of each object with a key: one object, or those of a list. */
export function keyedData(
  { action, keyedBy }: FilteredWrite,
  data: DataValue | undefined,
): readonly (DataValue | undefined)[] {
  if (!keyedBy) return [data];
  const { path } = keyedBy;
  const found = valueAt(data ?? null, path);
  const place = ['data', ...path].join('.');
  if (!Array.isArray(found) || action !== 'delete') {
    requireKey(action, keyedBy, found, place);
    return [data];
  }
  const items: readonly DataValue[] = found;
  return items.map((item, index) => {
    requireKey(action, keyedBy, item, `${place}[${index}]`);
    return path.reduceRight<DataValue>((inner, name) => ({ [name]: inner }), item);
  });
}

function requireKey(
  action: string,
  { keys, fixed }: KeyedBy,
  object: DataValue | undefined,
  place: string,
): void {
  const missing = keys.find(
    (key) => (isDataObject(object) ? (object[key] ?? null) : null) === null,
  );
  if (missing !== undefined) throw missingKey(action, missing, `${place}.${missing}`);
  const other = fixed.find(({ property, text }) => {
    const given = isDataObject(object) ? (object[property] ?? null) : null;
    return given !== null && !Array.isArray(given) && String(given) !== text;
  });
  if (other) {
    throw new EngineError('constraint-unmet', `${other.message}.`, {
      place: `${place}.${other.property}`,
    });
  }
}

function missingKey(action: string, key: string, place: string): EngineError {
  const message = `'${action}' needs a filter, or the key '${key}' in the data. Nothing was changed.`;
  const hint = `To ${action} every row, use ${action}All().`;
  return new EngineError('parameter-missing', message, { place, hint });
}

function severalParents(): EngineError {
  const message =
    'The filter matches several rows, so it is not clear which of them the included rows belong to.';
  return new EngineError('wrong-arguments', message);
}
