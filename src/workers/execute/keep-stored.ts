/** Records what statements that store rows of the data have returned. */
import {
  dialectOf,
  EngineError,
  invariant,
  type RowBatch,
  rowsWriteOf,
  type StatementPlan,
  unmetOfNewRow,
  withoutFirst,
  type WriteRow,
} from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { Written } from '../database/statement.js';
import { storedText, storedTexts } from './stored-text.js';
import { requireChecks } from './write-checks.js';

/** Records each row as it is stored. Throws if a row is missing or does not pass its checks. */
export function keepStored(
  statement: StatementPlan,
  batch: RowBatch,
  written: Written | undefined,
): void {
  invariant(written, 'a result for each statement');
  const write = rowsWriteOf(statement);
  const { checks = [], returned } = write;
  if (batch.isEchoed) {
    for (const row of batch.rows) row.stored = row.asGiven(write);
    return;
  }
  const { rows } = written;
  const isUpdate = write.action === 'update';
  const mayMiss = mayMissRows(batch) || isUpdate;
  if (!mayMiss && rows.length < batch.rows.length) throw leftOutOf(statement, batch, rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    const returnedRow = rows.at(index);
    invariant(returnedRow, 'a row of that index');
    const row = batch.rows[batch.isNumbered ? Number(storedText(returnedRow, 0)) - 1 : index];
    invariant(row, 'a row for each that is returned');
    const stored = batch.isNumbered ? withoutFirst(returnedRow) : returnedRow;
    row.stored = stored;
    if (checks.length === 0) continue;
    requireChecks(checks, {
      entity: statement.entity,
      dialect: statement.dialect,
      answers: storedTexts(stored, returned.length, checks.length),
      place: row.place,
      isWritten: (property) =>
        !(isUpdate && write.primaryKey.includes(property)) &&
        (row.given.has(property) || row.defaults.has(property)),
    });
  }
  if (!mayMissRows(batch)) return;
  const absent = batch.rows.filter(({ stored }) => !stored);
  const [first] = absent;
  if (!first) return;
  if (batch.likeness.hasPredicate) throw takenKey(statement, first);
  throw unmetOfNewRow(statement, absent) ?? lacking(first);
}

/**
 * Throws if rows that were read by a generated key are others than their INSERT has stored: a trigger may set the key, and
 * the session still has the one that it generated before.
 */
export function requireKey(
  statement: StatementPlan,
  batch: RowBatch,
  inserted: Written | undefined,
): void {
  // A row that was found by given values may have any key.
  const isGenerated = batch.reread?.parameters.length === 0;
  if (!isGenerated || inserted?.insertedKey === undefined) return;
  const { primaryKey, fields, returned } = rowsWriteOf(statement);
  const made = fields.find(({ property, generated }) => generated && primaryKey.includes(property));
  const column = made ? returned.indexOf(made.property) : -1;
  const [first] = batch.rows;
  if (column === -1 || !first?.stored) return;
  if (Number(storedText(first.stored, column)) === inserted.insertedKey) return;
  throw leftOutOf(statement, batch, 0);
}

/**
 * Throws if rows cannot be read after the write although they must be checked, a view shows them otherwise, or the
 * database makes their key. It must not depend on the rows that exist, so this is called before.
 */
export function requireRead(statement: StatementPlan, batches: readonly RowBatch[]): void {
  const { checks, mustRead, primaryKey, returned } = rowsWriteOf(statement);
  const echoed = batches.filter(({ isEchoed }) => isEchoed);
  if ((checks !== undefined || mustRead) && echoed.length > 0) throw unread(statement);
  const answered = primaryKey.filter((name) => returned.includes(name));
  for (const { rows } of echoed) {
    for (const row of rows) {
      const absent = answered.find(
        (name) => row.given.get(name) == null && !row.defaults.has(name),
      );
      if (absent !== undefined) throw unknownKey(statement, row, absent);
    }
  }
}

/** Whether it may write fewer rows than it has, which is an error afterwards. */
export function mayMissRows({ likeness }: RowBatch): boolean {
  return likeness.mustExist || likeness.hasPredicate;
}

/** The error for a row whose key belongs to a row that must not be changed. */
export function takenKey(statement: StatementPlan, row: WriteRow): SourceError {
  const { entity, dialect } = statement;
  const { predicate, primaryKey, uniqueKey } = rowsWriteOf(statement);
  if (predicate !== undefined) {
    // Reported like the conflict of an insert, because the row itself is hidden.
    const isGiven = (key: readonly string[]) =>
      key.length > 0 && key.every((name) => row.given.has(name));
    const key = [primaryKey, uniqueKey].find(isGiven) ?? [];
    const detail = `Another row of entity ${entity} has the same value in ${key.join(', ')}.`;
    const place = key.length === 1 ? `${row.place}.${key.join()}` : row.place;
    return new SourceError('unique-violation', {
      sqlstate: dialectOf(dialect).writes.violationStates.unique,
      detail,
      place,
    });
  }
  const { place } = row;
  const detail = `The key of a row of entity ${entity} is that of another entity's row.`;
  return new SourceError('unique-violation', { detail, place });
}

function leftOutOf({ entity }: StatementPlan, batch: RowBatch, stored: number): SourceError {
  const { rows, reread } = batch;
  const byGivenKey = reread !== undefined && reread.parameters.length > 0;
  const orChanged = byGivenKey
    ? ' Or a column stores a given key differently, so that the row is not found by it: give times and binary data exactly as the column stores them.'
    : '';
  return leftOut(entity, rows, stored, orChanged);
}

/** Only the database knows whether it has left rows out or stored them elsewhere, and which ones. */
export function leftOut(
  entity: string,
  rows: readonly WriteRow[],
  stored: number,
  orChanged = '',
): SourceError {
  const [first, other] = rows;
  const counts = { missing: rows.length - stored, all: rows.length };
  return leftOutOfTable(entity, counts, { place: other ? undefined : first?.place, orChanged });
}

/** The same error for rows that were counted. */
export function leftOutOfTable(
  entity: string,
  { missing, all }: { readonly missing: number; readonly all: number },
  { place, orChanged = '' }: { readonly place?: string | undefined; readonly orChanged?: string },
): SourceError {
  const detail = `A trigger or a rule of the database left out rows of entity ${entity} (${missing} of ${all}), or stored them elsewhere.${orChanged}`;
  return new SourceError('refused-by-database', { detail, place });
}

/** The same error as for an insert, without the name of the hidden property. */
function lacking({ place }: WriteRow): SourceError {
  return new SourceError('not-null-violation', { place });
}

function unread({ entity, dialect }: StatementPlan): EngineError {
  const message = `On ${dialect}, a row of entity '${entity}' without a visible key cannot be stored under a view that hides rows or shows other values.`;
  return new EngineError('unsupported', message);
}

function unknownKey({ entity, dialect }: StatementPlan, { place }: WriteRow, name: string) {
  const message = `On ${dialect}, a new row of entity '${entity}' needs a value of '${name}': the row cannot be found by a key that the database makes.`;
  return new EngineError('unsupported', message, { place });
}
