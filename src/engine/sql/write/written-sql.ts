/** The SQL that a value is written by: itself, or what its property's `writeExp` makes of it. */
import type { WriteField } from '../../compiled-write.js';
import type { Dialect } from '../../dialects/dialect.js';

/** `sql` with the expression of the field around it. */
export function writtenSql(dialect: Dialect, { writeExp, type }: WriteField, sql: string): string {
  if (!writeExp) return sql;
  const value = dialect.cast(sql, type);
  if (writeExp.length <= 2) return writeExp.join(value);
  // Written once, so that it is computed once, and is one placeholder.
  return `(SELECT ${writeExp.join('w.v')} FROM (SELECT ${value} AS v) w)`;
}

/** The same of a value that may read the row: MySQL and MariaDB let no sub-select in FROM do so. */
export function writtenOverRow(dialect: Dialect, field: WriteField, sql: string): string {
  const { writeExp, type } = field;
  if (!writeExp || writeExp.length <= 2) return writtenSql(dialect, field, sql);
  const text = writeExp.join(dialect.valueNamed('a1', type, undefined));
  return `(SELECT ${text} FROM ${dialect.namedValues([{ sql: dialect.cast(sql, type), type }])})`;
}
