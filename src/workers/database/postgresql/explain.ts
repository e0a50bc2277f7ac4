/**
 * Finds what PostgreSQL does not report about a failed write: the table, if it has named one of its partitions, which
 * no entity maps, and the number that is out of range.
 */
import pg from 'pg';
import type { Fields } from '../../../engine/index.js';
import type { FailedWrite, Lease } from '../lease.js';
import { SourceError } from '../source-error.js';
import { readTexts } from '../read-texts.js';
import type { Statement } from '../statement.js';
import { ancestorsOf } from './ancestors.js';
import { numberStatement } from './number-statement.js';

/** A number is out of the range of its type, or has too many digits for its column. */
const OUT_OF_RANGE = '22003';

export async function explainWrite(
  lease: Lease,
  error: unknown,
  { statements, isUndone }: FailedWrite,
): Promise<unknown> {
  if (!(error instanceof SourceError)) return error;
  // Of a single statement, the place is not reported.
  const index = error.at?.statement ?? 0;
  const failed = statements[index];
  const ask = async (statement: Statement): Promise<readonly Fields[]> => {
    // The database has given up the transaction, and runs nothing else in it.
    if (!isUndone) await lease.rollBack();
    return readTexts(lease, statement);
  };
  try {
    const isNumber = error.sqlstate === OUT_OF_RANGE;
    return isNumber
      ? await withNumber(error, index, failed, ask)
      : await ofWhole(error, failed, ask);
  } catch {
    // The error says more than the failure of this search.
    return error;
  }
}

type Ask = (statement: Statement) => Promise<readonly Fields[]>;

/** The error with the first number that its column cannot store, if there is any. */
async function withNumber(
  error: SourceError,
  index: number,
  failed: Statement | undefined,
  ask: Ask,
): Promise<SourceError> {
  const statement = failed?.numbers && numberStatement(failed.numbers());
  const [[column, row] = []] = statement ? await ask(statement) : [];
  if (typeof column !== 'string') return error;
  const violation = { table: failed?.table, columns: [column], values: [] };
  return error.with({ violation, at: { statement: index, row: Number(row) - 1 } });
}

/** The error with the written table, or else the outermost one, instead of a partition. */
async function ofWhole(
  error: SourceError,
  failed: Statement | undefined,
  ask: Ask,
): Promise<SourceError> {
  const { violation, cause } = error;
  const written = failed?.table;
  if (written === undefined || violation?.table === undefined) return error;
  const { table } = violation;
  if (table === written || !(cause instanceof pg.DatabaseError)) return error;
  const tables = (await ask(ancestorsOf({ schema: cause.schema, table }))).flatMap(
    ([name]) => name ?? [],
  );
  const whole = tables.includes(written) ? written : tables.at(-1);
  if (whole === undefined || whole === table) return error;
  // It may be in another schema than its partition.
  return error.with({ violation: { ...violation, schema: undefined, table: whole } });
}
