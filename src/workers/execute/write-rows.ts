/**
 * Rows of the data on their way into the tables, level by level: referred rows first, then their
 * own, then those that refer to them. All of it is one transaction.
 */
import {
  batchRows,
  type ByteRow,
  EngineError,
  invariant,
  RowBytes,
  type RowBatch,
  type RowsWrite,
  type RowTarget,
  rowsWriteOf,
  type Sentence,
  sequenceStatement,
  unmetOfNewRow,
  withoutFirst,
  type WriteRow,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import { storedText, storedTexts } from './stored-text.js';
import { requireChecks, violationState } from './write-checks.js';
import type { Statement, Written } from '../database/statement.js';

/**
 * Runs statements of a sentence in one round trip. All up to the one with `last` are one transaction,
 * which that one commits; where sentences are of several sources, one a source.
 */
export type RunWrites = (
  statements: readonly Statement[],
  last: boolean,
  sentence: Sentence,
) => Promise<readonly Written[]>;

/** Stores rows of a sentence with all that they include, and commits. */
export async function writeRows(
  run: RunWrites,
  sentence: Sentence,
  rows: readonly WriteRow[],
): Promise<void> {
  const isCommitted = await writeLevel(run, sentence, rows, true);
  if (!isCommitted) await run([], true, sentence);
}

/** Stores the rows of each inclusion under parents that are stored, and commits. */
export async function writeIncluded(
  run: RunWrites,
  sentence: Sentence,
  parents: readonly WriteRow[],
): Promise<void> {
  const isCommitted = await writeChildren(run, sentence, parents, true);
  if (!isCommitted) await run([], true, sentence);
}

/** Tells whether it has committed, which it may do only with `last`. */
async function writeLevel(
  run: RunWrites,
  sentence: Sentence,
  rows: readonly WriteRow[],
  last: boolean,
): Promise<boolean> {
  if (rows.length === 0) return false;
  if (sentence.inclusions.length > 0) await writeReferred(run, sentence, rows);
  const write = rowsWriteOf(sentence);
  const target: RowTarget = { write, dialect: sentence.dialect, alias: sentence.alias };
  const batches = batchRows(target, rows);
  const isLast =
    last && !write.checks && !hasChildren(sentence, rows) && !batches.some(mayMissRows);
  const orders = ordersOf(write, batches, sequenceStatement(target, rows));
  const statements = orders.map(({ statement }) => statement);
  let results: readonly Written[];
  try {
    results = await run(statements, isLast, sentence);
  } catch (error) {
    throw error instanceof SourceError ? ofRow(sentence, error, orders) : error;
  }
  for (const [index, { returns, isReread }] of orders.entries()) {
    const isMissed = isReread && isUpdate(write, returns) && results[index - 1]?.count === 0;
    // A row may be there, and yet not be one that may be touched.
    if (returns) keepStored(sentence, returns, isMissed ? nothing : results[index]);
  }
  if (isLast) return true;
  return writeChildren(run, sentence, rows, last);
}

/** Whether it may write fewer rows than it has, so that something is to be said after it. */
function mayMissRows({ likeness }: RowBatch): boolean {
  return likeness.mustExist || likeness.isGuarded;
}

/** A statement of a round trip. */
interface Order {
  readonly statement: Statement;
  /** Whose rows it writes. */
  readonly writes?: RowBatch;
  /** Whose rows it returns. */
  readonly returns?: RowBatch;
  /** Whether it reads what the statement before it has written. */
  readonly isReread?: boolean;
}

const nothing: Written = { rows: new RowBytes(), count: 0 };

function isUpdate({ action }: RowsWrite, batch: RowBatch | undefined): boolean {
  return batch?.likeness.mustExist === true || action === 'update';
}

/** Explicit keys come first, and the sequence passes them before it is asked for others. */
function ordersOf(
  { storedTable }: RowsWrite,
  batches: readonly RowBatch[],
  sequence: Statement | undefined,
): readonly Order[] {
  const explicit = sequence ? batches.findLastIndex(({ likeness }) => likeness.isExplicit) + 1 : 0;
  const orders: Order[] = [];
  for (const [index, batch] of batches.entries()) {
    if (sequence && index === explicit) orders.push({ statement: sequence });
    const statement = writingStatement(batch, storedTable);
    const { reread } = batch;
    if (reread) {
      orders.push({ statement, writes: batch });
      orders.push({ statement: reread, returns: batch, isReread: true });
    } else orders.push({ statement, writes: batch, returns: batch });
  }
  if (sequence && explicit === batches.length) orders.push({ statement: sequence });
  return orders;
}

/** With what finds the row at fault, where the database does not tell it. */
function writingStatement(batch: RowBatch, table: string): Statement {
  const { statement, rows, inserted } = batch;
  const { text, parameters, types } = statement;
  if (!types) return { text, parameters, table };
  const alone = (row: number): Statement => batch.alone(row);
  const trial = { rows: rows.length, alone, ...(inserted && { inserted }) };
  return { text, parameters, types, table, trial };
}

/** The error with the place of the row that it is about, where the source has found that out. */
function ofRow(sentence: Sentence, error: SourceError, orders: readonly Order[]): SourceError {
  const { code, sqlstate, violation, at, cause } = error;
  if (!violation || at?.row === undefined) return error;
  const batch = orders[at.statement]?.writes;
  const row = batch?.rows[at.row];
  if (!row) return error;
  const isTaken = batch.likeness.isGuarded && isSame(batch.likeness.keyColumns, violation.columns);
  if (isTaken) return takenKey(sentence, row);
  return new SourceError(code, { sqlstate, violation, cause, place: row.place });
}

/** Whether an upsert has met the key by which it looks, and yet not its row. */
function isSame(columns: readonly string[], others: readonly string[]): boolean {
  return columns.length === others.length && columns.every((column) => others.includes(column));
}

/** Rows that these refer to are stored first, and their keys become foreign keys. */
async function writeReferred(
  run: RunWrites,
  sentence: Sentence,
  rows: readonly WriteRow[],
): Promise<void> {
  for (const [index, { sentence: child }] of sentence.inclusions.entries()) {
    const write = rowsWriteOf(child);
    const { link } = write;
    if (link?.holder !== 'parent') continue;
    const owners = rows.filter(({ related }) => (related[index] ?? []).length > 0);
    const referred = owners.flatMap(({ related }) => related[index] ?? []);
    await writeLevel(run, child, referred, false);
    for (const owner of owners) {
      const [only] = owner.related[index] ?? [];
      if (only?.stored) owner.given.set(link.from, valueOf(only.stored, write.returned, link.to));
    }
  }
}

async function writeChildren(
  run: RunWrites,
  sentence: Sentence,
  rows: readonly WriteRow[],
  last: boolean,
): Promise<boolean> {
  const levels = sentence.inclusions.flatMap(({ sentence: child }, index) => {
    const children = linkChildren(sentence, rows, index);
    return children.length > 0 ? [{ child, children }] : [];
  });
  let isCommitted = false;
  for (const [index, { child, children }] of levels.entries()) {
    isCommitted = await writeLevel(run, child, children, last && index === levels.length - 1);
  }
  return isCommitted;
}

/** The rows of an inclusion that refer to these, with their foreign keys; none of absent parents. */
function linkChildren(sentence: Sentence, rows: readonly WriteRow[], index: number): WriteRow[] {
  const child = sentence.inclusions[index]?.sentence;
  const link = child && rowsWriteOf(child).link;
  if (link?.holder !== 'child') return [];
  const names = sentence.columns.map(({ name }) => name);
  return rows.flatMap((row) => {
    if (!row.stored) return [];
    const children = row.related[index] ?? [];
    const key = children.length > 0 ? valueOf(row.stored, names, link.from) : null;
    for (const each of children) each.given.set(link.to, key);
    return children;
  });
}

/** A value of a row of these columns. */
function valueOf(row: ByteRow, columns: readonly string[], name: string): string | null {
  const index = columns.indexOf(name);
  invariant(index !== -1, `the stored ${name} is returned`);
  return storedText(row, index);
}

function hasChildren({ inclusions }: Sentence, rows: readonly WriteRow[]): boolean {
  return inclusions.some(
    ({ sentence: child }, index) =>
      rowsWriteOf(child).link?.holder === 'child' &&
      rows.some(({ related }) => (related[index] ?? []).length > 0),
  );
}

function takenKey(sentence: Sentence, row: WriteRow): SourceError {
  const { entity, dialect } = sentence;
  const { guard, primaryKey, uniqueKey } = rowsWriteOf(sentence);
  if (guard !== undefined) {
    // As an insert would be told of it: the row itself is not shown.
    const isGiven = (key: readonly string[]) =>
      key.length > 0 && key.every((name) => row.given.has(name));
    const key = [primaryKey, uniqueKey].find(isGiven) ?? [];
    const detail = `Another row of entity ${entity} has the same value in ${key.join(', ')}.`;
    const place = key.length === 1 ? `${row.place}.${key.join()}` : row.place;
    return new SourceError('unique-violation', {
      sqlstate: violationState(dialect, '23505'),
      detail,
      place,
    });
  }
  const { place } = row;
  const detail = `The key of a row of entity ${entity} is that of another entity's row.`;
  return new SourceError('unique-violation', { detail, place });
}

function unread({ entity, dialect }: Sentence): EngineError {
  const message = `On ${dialect}, a row of entity '${entity}' without a key is not stored where not all rows are shown.`;
  return new EngineError('unsupported', message);
}

function keepStored(sentence: Sentence, batch: RowBatch, written: Written | undefined): void {
  invariant(written, 'a result for each statement');
  const write = rowsWriteOf(sentence);
  const { checks = [], returned } = write;
  if (batch.isEchoed) {
    if (checks.length > 0) throw unread(sentence);
    for (const row of batch.rows) row.stored = row.asGiven(write);
    return;
  }
  const { rows } = written;
  for (let index = 0; index < rows.length; index += 1) {
    const returnedRow = rows.at(index);
    invariant(returnedRow, 'a row of that index');
    const row = batch.rows[batch.isNumbered ? Number(storedText(returnedRow, 0)) - 1 : index];
    invariant(row, 'a row for each that is returned');
    const stored = batch.isNumbered ? withoutFirst(returnedRow) : returnedRow;
    row.stored = stored;
    if (checks.length === 0) continue;
    requireChecks(checks, {
      entity: sentence.entity,
      dialect: sentence.dialect,
      answers: storedTexts(stored, returned.length, checks.length),
      place: row.place,
      isWritten: (property) => row.given.has(property),
    });
  }
  if (!mayMissRows(batch)) return;
  const absent = batch.rows.filter(({ stored }) => !stored);
  const [taken] = absent;
  if (taken && batch.likeness.isGuarded) throw takenKey(sentence, taken);
  if (absent.length > 0) throw unmetOfNewRow(sentence, absent);
}
