/**
 * Stores the rows of the data in one transaction, level by level: referenced rows first, then the
 * rows themselves, then the rows that refer to them.
 */
import {
  batchRows,
  dialectOf,
  EngineError,
  lookUpRow,
  lookUpStatement,
  RowBytes,
  type RowBatch,
  type RowsWrite,
  type RowTarget,
  rowsWriteOf,
  type StatementPlan,
  sequenceStatements,
  type WriteRow,
} from '../../engine/index.js';
import { isRepeatedRow, SourceError } from '../database/source-error.js';
import { keepStored, mayMissRows, requireKey, requireRead, takenKey } from './keep-stored.js';
import { giveKey, isSameValue, linkedKey, returnedColumns } from './linked-keys.js';
import type { Statement, Written } from '../database/statement.js';
import type { WriteStatement } from './merge-writes.js';
import { unreadableValue } from './unreadable-value.js';

/**
 * Runs statements in one round trip. All round trips up to the one with `last` form one
 * transaction, which that one commits; with several sources, one transaction each. `guard`: a statement that runs
 * after them, and must succeed before they are committed.
 */
export type RunWrites = (
  statements: readonly WriteStatement[],
  last: boolean,
  statement: StatementPlan,
  guard?: Statement,
) => Promise<readonly Written[]>;

/** Runs the same statements without committing. */
export function uncommitted(runWrites: RunWrites): RunWrites {
  return (statements, _last, statement) => runWrites(statements, false, statement);
}

/** Stores the rows of a statement with their included rows, and commits. */
export async function writeRows(
  run: RunWrites,
  statement: StatementPlan,
  rows: readonly WriteRow[],
): Promise<void> {
  const isCommitted = await writeLevel(run, statement, rows, true);
  if (!isCommitted) await run([], true, statement);
}

/** Stores the rows of each include under stored parents, and commits. */
export async function writeIncluded(
  run: RunWrites,
  statement: StatementPlan,
  parents: readonly WriteRow[],
): Promise<void> {
  const isCommitted = await writeChildren(run, statement, parents, true);
  if (!isCommitted) await run([], true, statement);
}

/** Returns whether it has committed, which it does only if `last` is set. */
async function writeLevel(
  run: RunWrites,
  statement: StatementPlan,
  rows: readonly WriteRow[],
  last: boolean,
): Promise<boolean> {
  const own = await writeReferred(run, statement, rows);
  if (own.length === 0) return false;
  const isLast = last && !hasChildren(statement, own);
  const isCommitted = await writeOwn(run, statement, own, isLast);
  return isCommitted || writeChildren(run, statement, own, last);
}

/**
 * Stores the rows of a statement without their included rows. Returns whether it has committed. If the database
 * considers keys equal whose texts differ, it writes the rows one by one.
 */
async function writeOwn(
  run: RunWrites,
  statement: StatementPlan,
  rows: readonly WriteRow[],
  last: boolean,
): Promise<boolean> {
  for (const { complete } of rows) complete?.();
  const target = targetOf(statement);
  const batches = batchRows(target, rows);
  try {
    return await writeBatches(run, statement, batches, last);
  } catch (error) {
    if (!isRepeatedRow(error) || !batches.some(({ mayRepeatKey }) => mayRepeatKey)) throw error;
    return writeBatches(run, statement, batchRows(target, rows, true), last);
  }
}

async function writeBatches(
  run: RunWrites,
  statement: StatementPlan,
  batches: readonly RowBatch[],
  last: boolean,
): Promise<boolean> {
  const write = rowsWriteOf(statement);
  const target = targetOf(statement);
  requireRead(statement, batches);
  const isLast = last && !write.checks && !batches.some(mayMissRows) && !incomplete.has(write);
  const guard = isLast && !isOnlyRow(statement, batches) ? guardOf(target) : undefined;
  const orders = ordersOf(target, batches);
  const statements = orders.map(({ statement }) => statement);
  let results: readonly Written[];
  try {
    results = await run(statements, isLast, statement, guard);
  } catch (error) {
    if (guard && error instanceof SourceError && isOfGuard(error, statements.length)) {
      incomplete.add(write);
      // So the write runs again.
      throw new SourceError('cached-plan-invalid', { cause: error });
    }
    throw error instanceof SourceError ? ofRow(statement, error, orders) : error;
  }
  for (const [index, { returns, isReread }] of orders.entries()) {
    const isMissed = isReread && isUpdate(write, returns) && results[index - 1]?.count === 0;
    // A row may exist, but be hidden.
    if (!returns) continue;
    keepStored(statement, returns, isMissed ? nothing : results[index]);
    if (isReread) requireKey(statement, returns, results[index - 1]);
  }
  return isLast;
}

/** Writes to tables whose triggers or rules may leave out rows: what is stored is checked before the commit. */
const incomplete = new WeakSet<RowsWrite>();

/** Whether the guard at this position has failed as it should, and was not stopped. */
function isOfGuard({ code, at }: SourceError, position: number): boolean {
  return code === 'value-out-of-range' && at?.statement === position;
}

/** The statement that fails if the table may leave out rows; only an update does not need all of them. */
function guardOf({ write, dialect }: RowTarget): Statement | undefined {
  const text = write.action === 'update' ? undefined : dialectOf(dialect).writes.leavesNoneOut;
  return text === undefined ? undefined : { text, parameters: [write.table] };
}

/** Whether the whole write is a single row, so that nothing else is stored if a trigger leaves it out. */
function isOnlyRow(statement: StatementPlan, [batch, other]: readonly RowBatch[]): boolean {
  const isSingle = batch?.rows.length === 1 && !other;
  return isSingle && !rowsWriteOf(statement).link && !isReferring(statement, batch.rows);
}

function targetOf(statement: StatementPlan): RowTarget {
  const { dialect, alias } = statement;
  return { write: rowsWriteOf(statement), dialect, alias };
}

/** A statement of a round trip. */
interface Order {
  readonly statement: WriteStatement;
  readonly writes?: RowBatch;
  readonly returns?: RowBatch;
  /** Whether it reads what the previous statement has written. */
  readonly isReread?: boolean;
}

const nothing: Written = { rows: new RowBytes(), count: 0 };

function isUpdate({ action }: RowsWrite, batch: RowBatch | undefined): boolean {
  return batch?.likeness.mustExist === true || action === 'update';
}

/** Moves sequences past explicit keys before keys are generated. */
function ordersOf(target: RowTarget, batches: readonly RowBatch[]): readonly Order[] {
  const orders: Order[] = [];
  let explicit: WriteRow[] = [];
  const moveSequences = (): void => {
    orders.push(...sequenceStatements(target, explicit).map((statement) => ({ statement })));
    explicit = [];
  };
  for (const batch of batches) {
    const { isExplicit, makesKeys } = batch.likeness;
    if (makesKeys && explicit.length > 0) moveSequences();
    if (isExplicit) explicit = explicit.concat(batch.rows);
    orders.push(...batchOrders(batch, target));
  }
  if (explicit.length > 0) moveSequences();
  return orders;
}

function batchOrders(batch: RowBatch, target: RowTarget): readonly Order[] {
  const statement = writingStatement(batch, target);
  const { reread } = batch;
  if (!reread) return [{ statement, writes: batch, returns: batch }];
  return [
    { statement, writes: batch },
    { statement: reread, returns: batch, isReread: true },
  ];
}

/** Adds a statement that finds a conflicting row, if the database does not name it. */
function writingStatement(batch: RowBatch, { dialect, write }: RowTarget): WriteStatement {
  const { statement, rows, inserted, mayRepeatKey } = batch;
  const { text, parameters, types } = statement;
  const table = write.storedTable;
  if (!types) {
    const isMergeable = rows.length === 1 && batch.likeness.merged;
    const merge = { kind: 'insert', into: write.table, dialect, batch } as const;
    const numbers = () => ({ table: write.table, columns: batch.numbersOf(write) });
    return { text, parameters, table, mayRepeatKey, numbers, ...(isMergeable && { merge }) };
  }
  const alone = (row: number): Statement => batch.alone(row);
  const rowByRow = { rows: rows.length, alone, ...(inserted && { inserted }) };
  return { text, parameters, types, table, schema: write.storedSchema, rowByRow };
}

/** The error with the place of its row, if the source has reported the row. */
function ofRow(
  statement: StatementPlan,
  error: SourceError,
  orders: readonly Order[],
): SourceError {
  const { code, violation, at, parameter } = error;
  const failed = orders[at?.statement ?? 0]?.writes;
  if (code === 'parameter-type' && parameter !== undefined && failed)
    return unreadableValue(error, rowsWriteOf(statement), failed);
  if (!violation || at?.row === undefined) return error;
  const batch = orders[at.statement]?.writes;
  const row = batch?.rows[at.row];
  if (!row) return error;
  // A row of that key exists, but not in what the write may change.
  const isTaken =
    code === 'unique-violation' &&
    batch.likeness.hasPredicate &&
    isSame(batch.likeness.keyColumns, violation.columns);
  if (isTaken) return takenKey(statement, row);
  return error.with({ place: row.place });
}

/** Whether an upsert conflicted on its own key, but did not find its row. */
function isSame(columns: readonly string[], others: readonly string[]): boolean {
  return columns.length === others.length && columns.every((column) => others.includes(column));
}

/** Returns the rows to write, with foreign keys; rows of an update that do not exist refer to nothing. */
async function writeReferred(
  run: RunWrites,
  statement: StatementPlan,
  given: readonly WriteRow[],
): Promise<readonly WriteRow[]> {
  if (!isReferring(statement, given)) return given;
  const rows = await presentRows(run, statement, given);
  for (const [index, { statement: child }] of statement.includes.entries()) {
    const write = rowsWriteOf(child);
    const { link } = write;
    if (link?.holder !== 'parent') continue;
    const owners = rows.filter(({ related }) => (related[index] ?? []).length > 0);
    const referred = owners.flatMap(({ related }) => related[index] ?? []);
    await writeLevel(run, child, referred, false);
    for (const owner of owners) {
      const [only] = owner.related[index] ?? [];
      if (!only?.stored) continue;
      const stored = { row: only.stored, columns: returnedColumns(write), names: link.to };
      const key = linkedKey(stored, statement, link.from);
      refuseContradiction(statement, owner, index, key);
      giveKey(owner, link.from, key);
    }
  }
  return rows;
}

/** Refuses a row whose relations need different values of one property, such as the key of a tenant. */
function refuseContradiction(
  statement: StatementPlan,
  row: WriteRow,
  index: number,
  key: readonly (string | null)[],
): void {
  const { entity, includes, write } = statement;
  const links = includes.map(({ statement }) => rowsWriteOf(statement).link);
  const own = write?.kind === 'rows' && write.link?.holder === 'child' ? write.link.to : [];
  const isLinked = (name: string): boolean =>
    own.includes(name) ||
    links
      .slice(0, index)
      .some(
        (link, at) =>
          link?.holder === 'parent' && link.from.includes(name) && row.related[at]?.[0]?.stored,
      );
  for (const [at, name] of (links[index]?.from ?? []).entries()) {
    const given = row.given.get(name);
    if (given === undefined || !isLinked(name)) continue;
    if (isSameValue(rowsWriteOf(statement), name, [given, key[at]])) continue;
    const { relation } = includes[index] ?? { relation: '' };
    const message = `Relation '${relation}' needs another value of '${name}' in entity ${entity} than the row's other relations.`;
    throw new EngineError('constraint-unmet', message, { place: `${row.place}.${relation}` });
  }
}

/** For an update: the rows that exist, which are locked. */
async function presentRows(
  run: RunWrites,
  statement: StatementPlan,
  rows: readonly WriteRow[],
): Promise<readonly WriteRow[]> {
  if (rowsWriteOf(statement).action !== 'update') return rows;
  const kept = rows.filter((row) => keepsKey(statement, row));
  const lookedUp = kept.map((row) => lookUpRow(statement, row));
  await writeOwn(run, lookUpStatement(statement), lookedUp, false);
  return kept.filter((_, index) => lookedUp[index]?.stored);
}

/** Whether what the row refers to leaves it the primary key by which it is looked up. */
function keepsKey(statement: StatementPlan, { given, related }: WriteRow): boolean {
  const write = rowsWriteOf(statement);
  return statement.includes.every(({ statement: child }, index) => {
    const { link } = rowsWriteOf(child);
    const [only] = related[index] ?? [];
    if (!only || link?.holder !== 'parent') return true;
    const { from, to } = link;
    return from.every((name, at) => {
      const values = [only.given.get(to[at] ?? ''), given.get(name)] as const;
      return !write.primaryKey.includes(name) || isSameValue(write, name, values);
    });
  });
}

async function writeChildren(
  run: RunWrites,
  statement: StatementPlan,
  rows: readonly WriteRow[],
  last: boolean,
): Promise<boolean> {
  const levels = statement.includes.flatMap(({ statement: child }, index) => {
    const children = linkChildren(statement, rows, index);
    return children.length > 0 ? [{ child, children }] : [];
  });
  let isCommitted = false;
  for (const [index, { child, children }] of levels.entries()) {
    isCommitted = await writeLevel(run, child, children, last && index === levels.length - 1);
  }
  return isCommitted;
}

/**
 * The rows of an include that refer to these rows, with their foreign keys; without those of
 * missing parents.
 */
function linkChildren(
  statement: StatementPlan,
  rows: readonly WriteRow[],
  index: number,
): WriteRow[] {
  const child = statement.includes[index]?.statement;
  const link = child && rowsWriteOf(child).link;
  if (!child || link?.holder !== 'child') return [];
  return rows.flatMap((row) => {
    if (!row.stored) return [];
    const children = row.related[index] ?? [];
    if (children.length === 0) return children;
    const stored = { row: row.stored, columns: statement.columns, names: link.from };
    const key = linkedKey(stored, child, link.to);
    for (const each of children) giveKey(each, link.to, key);
    return children;
  });
}

function hasChildren(statement: StatementPlan, rows: readonly WriteRow[]): boolean {
  return hasRelated(statement, rows, 'child');
}

function isReferring(statement: StatementPlan, rows: readonly WriteRow[]): boolean {
  return hasRelated(statement, rows, 'parent');
}

/** Whether the rows contain others that are linked by a foreign key of this holder. */
function hasRelated(
  { includes }: StatementPlan,
  rows: readonly WriteRow[],
  holder: 'parent' | 'child',
): boolean {
  return includes.some(
    ({ statement: child }, index) =>
      rowsWriteOf(child).link?.holder === holder &&
      rows.some(({ related }) => (related[index] ?? []).length > 0),
  );
}
