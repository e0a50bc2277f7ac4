/**
 * Finds what MySQL and MariaDB do not report about a failed write: the row and the key. It tries
 * the rows again one by one before the rollback, unless the table has no transactions.
 */
import type { FailedWrite, Lease } from '../lease.js';
import { SourceError, type SourceErrorCode } from '../source-error.js';
import { command, type RowByRow, type Statement, stepOf } from '../statement.js';
import { rollsBack } from './engines.js';
import { TO_SAVEPOINT } from './transactions.js';
import { isOtherKey, violationOf } from './violation.js';

/** How many rows are tried in one round trip. Those after the failed one change nothing that remains. */
const TRIED_AT_ONCE = 64;

/** Failures that concern a row. */
const ofRows: ReadonlySet<SourceErrorCode> = new Set([
  'unique-violation',
  'foreign-key-violation',
  'not-null-violation',
  'check-violation',
  'refused-by-database',
]);

/** The error with its row and key, or the error that prevented finding them. */
export async function explainWrite(
  lease: Lease,
  error: unknown,
  failed: FailedWrite,
): Promise<unknown> {
  if (!(error instanceof SourceError) || !error.at) return error;
  const { statement: index } = error.at;
  const statement = failed.statements[index];
  if (!statement || !isOfRow(error)) return error;
  const { rowByRow, table, schema } = statement;
  const needsTrial = rowByRow !== undefined && (rowByRow.rows > 1 || isOtherKey(error));
  try {
    const isTried = needsTrial && (await takesBack(lease, statement));
    if (isTried) await returnToStatement(lease, failed, index);
    const fault = isTried
      ? await tryRows(lease, rowByRow, error)
      : { error: isOtherKey(error) ? taken(error) : error, ...(!needsTrial && { row: 0 }) };
    if (isTried && failed.isUndone) await lease.rollBack();
    const known = fault.error.violation;
    const violation =
      known === undefined && table !== undefined
        ? await violationOf(lease, fault.error, { schema, table })
        : known;
    const at = { statement: index, ...(fault.row !== undefined && { row: fault.row }) };
    return fault.error.with({ violation, at });
  } catch (failure) {
    return failure;
  }
}

/** Whether the table takes back rows that are tried. */
async function takesBack(lease: Lease, { schema, table }: Statement): Promise<boolean> {
  return table === undefined || (await rollsBack(lease, { schema, table })) === true;
}

/** Whether the failure concerns a row, or the value of a column. */
function isOfRow(error: SourceError): boolean {
  return ofRows.has(error.code) || error.violation !== undefined || isOtherKey(error);
}

/** Returns the tables to their state at the beginning of the statement. */
async function returnToStatement(
  lease: Lease,
  { statements, isUndone }: FailedWrite,
  index: number,
): Promise<void> {
  const before = statements.slice(0, index).map(stepOf);
  if (isUndone) await lease.begin();
  else await lease.run([command(TO_SAVEPOINT)]);
  await lease.run(before);
}

interface RowFault {
  readonly error: SourceError;
  /** Undefined if each row alone succeeds. */
  readonly row?: number;
}

async function tryRows(lease: Lease, rowByRow: RowByRow, error: SourceError): Promise<RowFault> {
  const atOnce = rowByRow.inserted ? 1 : TRIED_AT_ONCE;
  for (let start = 0; start < rowByRow.rows; start += atOnce) {
    const length = Math.min(atOnce, rowByRow.rows - start);
    const statements = Array.from({ length }, (_, index) => rowByRow.alone(start + index));
    const own = await faultOf(lease, statements);
    if (!own) continue;
    const row = start + (own.at?.statement ?? 0);
    if (!isOtherKey(own) || !rowByRow.inserted) return { error: own, row };
    const conflict = await faultOf(lease, [rowByRow.inserted(row)]);
    return { error: conflict ?? taken(own), row };
  }
  return { error };
}

/** The error of an upsert that found the row of another key. */
function taken({ sqlstate, cause }: SourceError): SourceError {
  return new SourceError('unique-violation', { sqlstate, cause });
}

/** The first failure of the statements, if any; throws other errors. */
async function faultOf(
  lease: Lease,
  statements: readonly Statement[],
): Promise<SourceError | undefined> {
  try {
    await lease.run(statements.map(stepOf));
    return undefined;
  } catch (error) {
    if (error instanceof SourceError && error.at) return error;
    throw error;
  }
}
