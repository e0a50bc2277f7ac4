/**
 * Finds what PostgreSQL does not report about a failed write: the table, if it has named one of its partitions, which
 * no entity maps, and the number that is out of range.
 */
import pg from 'pg';
import { type Fields, postgresqlArray } from '../../../engine/index.js';
import type { FailedWrite, Lease } from '../lease.js';
import { SourceError } from '../source-error.js';
import { readTexts } from '../read-texts.js';
import { plain, type Statement, type WrittenNumbers } from '../statement.js';
import { ancestorsOf } from './ancestors.js';

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

/** Whether a number `v` is out of the range of a column with this type and modifier, which has the digits of a numeric. */
const IS_OUT = `CASE type
  WHEN 'int2'::regtype THEN round(v) NOT BETWEEN -32768 AND 32767
  WHEN 'int4'::regtype THEN round(v) NOT BETWEEN -2147483648 AND 2147483647
  WHEN 'int8'::regtype THEN round(v) NOT BETWEEN -9223372036854775808 AND 9223372036854775807
  WHEN 'float4'::regtype THEN abs(v) >= 340282356779733661637539395458142568448
  WHEN 'numeric'::regtype THEN modifier > 3 AND
    abs(round(v, scale)) >= 10::numeric ^ (((modifier - 4) >> 16 & 65535) - scale)
END`;

/** Finds the first number that its column cannot store: the column, and the row, counted from 1. */
function numberStatement({ table, columns }: WrittenNumbers): Statement | undefined {
  if (columns.length === 0) return undefined;
  const given = columns.map(
    (_, index) =>
      `SELECT $${2 * index + 2}::text, v, place FROM unnest($${2 * index + 3}::numeric[]) WITH ORDINALITY AS t(v, place)`,
  );
  const text = `WITH RECURSIVE given(name, v, place) AS (${given.join(' UNION ALL ')}),
typed AS (SELECT name, atttypid AS type, atttypmod AS modifier, attnum
  FROM (SELECT DISTINCT name FROM given) columns JOIN pg_attribute ON attrelid = $1::regclass AND attname = name
  UNION ALL SELECT name, typbasetype, greatest(typtypmod, modifier), attnum
  FROM typed JOIN pg_type ON oid = type WHERE typtype = 'd'),
scaled AS (SELECT *, ((modifier - 4) & 2047 # 1024) - 1024 AS scale
  FROM given JOIN typed USING (name))
SELECT name, place FROM scaled WHERE ${IS_OUT} ORDER BY place, attnum LIMIT 1`;
  const parameters = columns.flatMap(({ column, numbers }) => [column, postgresqlArray(numbers)]);
  return plain(text, [table, ...parameters]);
}
