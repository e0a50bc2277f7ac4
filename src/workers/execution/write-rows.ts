/**
 * Rows of the data on their way into the tables, level by level: referred rows first, then their
 * own, then those that refer to them. All rounds up to the last one are one transaction.
 */
import {
  batchRows,
  EngineError,
  invariant,
  type RowBatch,
  type RowTarget,
  rowsWriteOf,
  type Sentence,
  sequenceStatement,
  unmetOfNewRow,
  type WriteRow,
} from '../../engine/index.js';
import { SourceError } from '../sources/source-error.js';
import { requireChecks, violationState } from './write-checks.js';
import type { Statement, Written } from '../sources/source.js';

/**
 * Where statements of a sentence run: rounds up to the one with `last` are one transaction, or one
 * a source where sentences are of several.
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
  await writeReferred(run, sentence, rows);
  const write = rowsWriteOf(sentence);
  const target: RowTarget = { write, dialect: sentence.dialect, alias: sentence.alias };
  const batches = batchRows(target, rows);
  const isLast =
    last &&
    !write.checks &&
    !hasChildren(sentence, rows) &&
    batches.every(({ mustExist, isGuarded }) => !mustExist && !isGuarded);
  const orders = inOrder(target, batches);
  const statements = orders.map(({ statement }) => statement);
  const results = await run(statements, isLast, sentence).catch((error: unknown) => {
    throw error instanceof SourceError ? ofRow(sentence, error, orders) : error;
  });
  for (const [index, { batch, isReread }] of orders.entries()) {
    const isMissed = isReread && isUpdate(sentence, batch) && results[index - 1]?.count === 0;
    // A row may be there, and yet not be one that may be touched.
    if (batch) keepStored(sentence, batch, isMissed ? nothing : results[index]);
  }
  if (isLast) return true;
  return writeChildren(run, sentence, rows, last);
}

/** A statement of a round, and the batch whose rows it returns, if it does. */
interface Order {
  readonly statement: Statement;
  /** Whose rows it writes. */
  readonly writes?: RowBatch;
  readonly batch?: RowBatch;
  /** Whether it reads what the statement before it has written. */
  readonly isReread?: boolean;
}

const nothing: Written = { rows: [], count: 0 };

function isUpdate(sentence: Sentence, batch: RowBatch | undefined): boolean {
  return batch?.mustExist === true || rowsWriteOf(sentence).action === 'update';
}

function ordersOf(batch: RowBatch, table: string): readonly Order[] {
  const { text, parameters, types, reread, rows, alone, inserted } = batch;
  const trial = { rows: rows.length, alone, ...(inserted && { inserted }) };
  const statement = { text, parameters, ...(types && { types }), table, trial };
  if (!reread) return [{ statement, writes: batch, batch }];
  return [
    { statement, writes: batch },
    { statement: reread, batch, isReread: true },
  ];
}

/** The error with the place of the row that it is about, where the source has found that out. */
function ofRow(sentence: Sentence, error: SourceError, orders: readonly Order[]): SourceError {
  const { code, sqlstate, violation, at, cause } = error;
  const batch = at && orders[at.statement]?.writes;
  const row = batch?.rows[at?.row ?? 0];
  if (!row || !violation) return error;
  const isTaken = batch.isGuarded && isSame(batch.keyColumns, violation.columns);
  if (isTaken) return takenKey(sentence, row);
  return new SourceError(code, { sqlstate, violation, cause, place: row.place });
}

/** Whether an upsert has met the key by which it looks, and yet not its row. */
function isSame(columns: readonly string[], others: readonly string[]): boolean {
  return columns.length === others.length && columns.every((column) => others.includes(column));
}

/** The sequence passes explicit keys before it is asked for others. */
function inOrder(target: RowTarget, batches: readonly RowBatch[]): readonly Order[] {
  const orders: Order[] = [];
  let explicit: WriteRow[] = [];
  const moveSequence = (): void => {
    const statement = sequenceStatement(target, explicit);
    if (statement) orders.push({ statement });
    explicit = [];
  };
  for (const batch of batches) {
    if (batch.isExplicit) explicit = explicit.concat(batch.rows);
    else if (explicit.length > 0) moveSequence();
    orders.push(...ordersOf(batch, target.write.storedTable));
  }
  if (explicit.length > 0) moveSequence();
  return orders;
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
      if (only?.stored) owner.given.set(link.from, only.storedValue(write, link.to));
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
  return rows.flatMap((row) => {
    if (!row.stored) return [];
    const children = row.related[index] ?? [];
    const key = children.length > 0 ? storedKey(sentence, row, link.from) : null;
    for (const each of children) each.given.set(link.to, key);
    return children;
  });
}

function storedKey({ columns }: Sentence, { stored }: WriteRow, property: string): string | null {
  const index = columns.findIndex(({ name }) => name === property);
  invariant(index !== -1 && stored, `the stored ${property} is returned`);
  return stored[index] ?? null;
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
  for (const [index, fields] of written.rows.entries()) {
    const row = batch.rows[batch.isNumbered ? Number(fields[0]) - 1 : index];
    invariant(row, 'a row for each that is returned');
    row.stored = batch.isNumbered ? fields.slice(1) : fields;
    requireChecks(checks, {
      entity: sentence.entity,
      dialect: sentence.dialect,
      answers: row.stored.slice(returned.length),
      place: row.place,
      isWritten: (property) => row.given.has(property),
    });
  }
  if (!batch.mustExist && !batch.isGuarded) return;
  const absent = batch.rows.filter(({ stored }) => !stored);
  const [taken] = absent;
  if (taken && batch.isGuarded) throw takenKey(sentence, taken);
  if (absent.length > 0) throw unmetOfNewRow(sentence, absent);
}
