/** The statement that finds a number that its column cannot store. */
import { postgresqlArray } from '../../../engine/index.js';
import { plain, type Statement, type WrittenNumbers } from '../statement.js';

/** Whether a number `v` is out of the range of a column with this type and modifier, which has the digits of a numeric. */
const IS_OUT = `CASE type
  WHEN 'int2'::regtype THEN round(v) NOT BETWEEN -32768 AND 32767
  WHEN 'int4'::regtype THEN round(v) NOT BETWEEN -2147483648 AND 2147483647
  WHEN 'int8'::regtype THEN round(v) NOT BETWEEN -9223372036854775808 AND 9223372036854775807
  WHEN 'float4'::regtype THEN abs(v) >= 340282356779733661637539395458142568448
  WHEN 'numeric'::regtype THEN modifier > 3 AND
    abs(round(v, scale)) >= 10::numeric ^ (((modifier - 4) >> 16 & 65535) - scale)
END`;

/** Returns the column and the number of the row of the first one, counted from 1; undefined without numbers. */
export function numberStatement({ table, columns }: WrittenNumbers): Statement | undefined {
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
