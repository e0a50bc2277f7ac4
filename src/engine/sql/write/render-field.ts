/** Renders the columns of written fields, and the SQL of each `writeExp`. */
import type { WriteField } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { BoundColumn, RowSource } from '../../query/logical.js';
import { orInvalidWriteExp } from '../../query/write/bind-write-exp.js';
import type { BoundField, BoundWriteExp } from '../../query/write/bound-write.js';
import { createAliases } from '../aliases.js';
import { renderValue } from '../render-expression.js';
import { literalContext } from './predicate-sql.js';

/** Marks the place of the value. It cannot occur in SQL. */
const MARK = '\u0000';

/**
 * The field of a row of this entity. Throws `schema-invalid` for a `writeExp` that cannot be rendered.
 */
export function renderField(
  { location }: RowSource,
  { mapping, writeExp, ...field }: BoundField,
): WriteField {
  const dialect = dialectOf(location.source.dialect);
  const { commonYears } = dialect.writes;
  return {
    ...field,
    ...(commonYears && field.type.startsWith('date') && { commonYears }),
    column: dialect.quoteName(mapping),
    storedColumn: dialect.storedName(mapping),
    ...(writeExp && { writeExp: writeExpSql(writeExp) }),
  };
}

/** The SQL of a `writeExp`, split at each place of the value. */
function writeExpSql(writeExp: BoundWriteExp): readonly string[] {
  const { row, property, value } = writeExp;
  const columnText = (column: BoundColumn): string => {
    if (column.row === row && column.property === property) return MARK;
    const message = `It reads '${column.property}', but a writeExp can read only '${property}' itself.`;
    throw new EngineError('unsupported', message);
  };
  const context = literalContext(row.location.source.dialect, createAliases());
  const sql = orInvalidWriteExp(writeExp, () => renderValue({ ...context, columnText }, value));
  return sql.split(MARK);
}
