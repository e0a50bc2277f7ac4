/** The SQL of a written value: the value itself, or the `writeExp` of its property. */
import type { WriteField } from '../../compiled-write.js';
import type { Dialect } from '../../dialects/dialect.js';

/** The field's `writeExp` with `sql` as the value. */
export function writtenSql(dialect: Dialect, { writeExp, type }: WriteField, sql: string): string {
  if (!writeExp) return sql;
  const value = dialect.cast(sql, type);
  if (writeExp.length <= 2) return writeExp.join(value);
  // The value appears only once, so that it is one placeholder and computed once.
  return `(SELECT ${writeExp.join('w.v')} FROM (SELECT ${value} AS v) w)`;
}

/**
 * The same for a value that may read the row, which a sub-select in FROM cannot do on MySQL and
 * MariaDB.
 */
export function writtenOverRow(dialect: Dialect, field: WriteField, sql: string): string {
  const { writeExp, type } = field;
  if (!writeExp || writeExp.length <= 2) return writtenSql(dialect, field, sql);
  const text = writeExp.join(dialect.valueNamed('a1', type, undefined));
  return `(SELECT ${text} FROM ${dialect.namedValues([{ sql: dialect.cast(sql, type), type }])})`;
}
