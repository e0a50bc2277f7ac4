/**
 * Rows of the data on their way into the tables, level by level: referred rows first, then their
 * own, then those that refer to them. All rounds up to the last one are one transaction.
 */
import {
  batchRows,
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
  const sequence = sequenceStatement(target, rows);
  const isLast =
    last &&
    !hasChildren(sentence, rows) &&
    batches.every(({ mustExist, isGuarded }) => !mustExist && !isGuarded);
  const [moved, inserted] = splitAtSequence(batches, sequence !== undefined);
  const statements = [...moved, ...(sequence ? [sequence] : []), ...inserted];
  const results = await run(statements, isLast, sentence);
  const stored = results.filter((_, index) => !sequence || index !== moved.length);
  for (const [index, batch] of batches.entries()) keepStored(sentence, batch, stored[index]);
  if (isLast) return true;
  return writeChildren(run, sentence, rows, last);
}

/** Explicit keys come first, and the sequence passes them before it is asked for others. */
function splitAtSequence(
  batches: readonly RowBatch[],
  hasSequence: boolean,
): readonly [readonly RowBatch[], readonly RowBatch[]] {
  const end = hasSequence ? batches.findLastIndex(({ isExplicit }) => isExplicit) + 1 : 0;
  return [batches.slice(0, end), batches.slice(end)];
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

function takenKey({ entity }: Sentence, { place }: WriteRow): SourceError {
  const detail = `The key of a row of entity ${entity} is that of another entity's row.`;
  return new SourceError('unique-violation', { detail, place });
}

function keepStored(sentence: Sentence, batch: RowBatch, written: Written | undefined): void {
  invariant(written, 'a result for each statement');
  for (const [index, fields] of written.rows.entries()) {
    const row = batch.rows[batch.isNumbered ? Number(fields[0]) - 1 : index];
    invariant(row, 'a row for each that is returned');
    row.stored = batch.isNumbered ? fields.slice(1) : fields;
  }
  if (!batch.mustExist && !batch.isGuarded) return;
  const absent = batch.rows.filter(({ stored }) => !stored);
  const [taken] = absent;
  if (taken && batch.isGuarded) throw takenKey(sentence, taken);
  if (absent.length > 0) throw unmetOfNewRow(sentence, absent);
}
