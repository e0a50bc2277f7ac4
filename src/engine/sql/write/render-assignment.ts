/** Renders the values that an UPDATE assigns. */
import type { WriteField } from '../../compiled-write.js';
import type { Bound, RowSource } from '../../query/logical.js';
import { requiredColumn } from '../../query/rows.js';
import type { PropertyType } from '../../schema/model.js';
import type { BoundAssignment } from '../../query/write/bound-write.js';
import { placeholderFor } from '../placeholders.js';
import { hasOwnType, type RenderContext, renderValue } from '../render-expression.js';
import { argumentOf } from './assigned-argument.js';
import { renderEnum } from './render-enum.js';
import { decimalOfDouble, renderField } from './render-field.js';
import { writtenOverRow } from './written-sql.js';

/** Renders the column that an UPDATE assigns, and its new value. */
export function renderAssignment(
  context: RenderContext,
  row: RowSource,
  { field, value }: BoundAssignment,
): { readonly column: string; readonly sql: string } {
  const written = renderField(row, field);
  const { column, property, type, writeValue } = written;
  const sql = writeValue
    ? placeholderFor(context, { kind: 'changed', property, type })
    : convertedValue(context, row, written, value);
  return { column, sql: writtenOverRow(context.dialect, written, sql) };
}

/** The value of a field, converted to the type of its column if the database would not do it, or would lose digits. */
function convertedValue(
  context: RenderContext,
  row: RowSource,
  { property, allowed, type }: WriteField,
  value: Bound,
): string {
  const decimal = argumentOf(value) ? undefined : decimalOfDouble(context, value, type);
  if (decimal !== undefined) return decimal;
  const isBare = value.kind === 'null' || (argumentOf(value) && !context.placeholderOverride);
  const isComputed = allowed && type === 'string' && !isBare;
  const converted = isComputed
    ? renderEnum(context, requiredColumn(row, property), value)
    : undefined;
  return converted ?? renderAssigned(context, value, type);
}

/** Renders a value that is assigned to a property of this type. A bare placeholder takes the type of its column. */
function renderAssigned(context: RenderContext, value: Bound, type: PropertyType): string {
  const argument = argumentOf(value);
  const isOfText = value.kind === 'literal' && hasOwnType(value);
  if (!argument || argument.kind === 'null' || isOfText) return renderValue(context, value);
  // MySQL would round an instant to the nearest day.
  return placeholderFor(context, type === 'date' ? { ...argument, type } : argument);
}
