/** Renders the columns of written fields, and the SQL of each `writeExp`. */
import type { WriteField } from '../../compiled-write.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { Bound, BoundColumn, RowSource } from '../../query/logical.js';
import type { PropertyType } from '../../schema/model.js';
import { orInvalidWriteExp } from '../../query/write/bind-write-exp.js';
import type { BoundField, BoundWriteExp } from '../../query/write/bound-write.js';
import { createAliases } from '../aliases.js';
import { computedType } from '../digits.js';
import { type RenderContext, renderOperand, renderValue } from '../render-expression.js';
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
    ...(writeExp && { writeExp: writeExpSql(writeExp, field.type) }),
  };
}

/** The SQL of a `writeExp`, split at each place of the value. */
function writeExpSql(writeExp: BoundWriteExp, type: PropertyType): readonly string[] {
  const { row, property, value } = writeExp;
  const columnText = (column: BoundColumn): string => {
    if (column.row === row && column.property === property) return MARK;
    const message = `It reads '${column.property}', but a writeExp can read only '${property}' itself.`;
    throw new EngineError('unsupported', message);
  };
  const context = {
    ...literalContext(row.location.source.dialect, createAliases()),
    columnText,
  };
  const sql = orInvalidWriteExp(
    writeExp,
    () => decimalOfDouble(context, value, type) ?? renderValue(context, value),
  );
  return sql.split(MARK);
}

/** The SQL of a double that is stored as a decimal, if the database would lose digits by itself. */
export function decimalOfDouble(
  context: RenderContext,
  value: Bound,
  type: PropertyType,
): string | undefined {
  const { decimalOfDouble: convert } = context.dialect.writes;
  const isDouble = type === 'decimal' && computedType(context, value) === 'number';
  return convert && isDouble ? convert(renderOperand(context, value)) : undefined;
}
