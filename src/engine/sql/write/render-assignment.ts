/** Renders the values that an UPDATE assigns. */
import type { AssignedField, WriteField } from '../../compiled-write.js';
import type { Bound, RowSource } from '../../query/logical.js';
import type { PropertyType } from '../../schema/model.js';
import { slotType } from '../../query/parameters.js';
import type { BoundAssignment } from '../../query/write/bound-write.js';
import { placeholderFor } from '../placeholders.js';
import { hasOwnType, type RenderContext, renderTable, renderValue } from '../render-expression.js';
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
  const { enumOfText } = context.dialect.writes;
  const decimal = argumentOf(value) ? undefined : decimalOfDouble(context, value, type);
  if (decimal !== undefined) return decimal;
  const sql = renderAssigned(context, value, type);
  const mapping = row.location.columns.get(property)?.mapping;
  if (!enumOfText || !allowed || type !== 'string' || mapping === undefined) return sql;
  const isBare = value.kind === 'null' || (argumentOf(value) && !context.placeholderOverride);
  return isBare ? sql : enumOfText(sql, renderTable(context, row), mapping);
}

/** Renders a value that is assigned to a property of this type. A bare placeholder takes the type of its column. */
function renderAssigned(context: RenderContext, value: Bound, type: PropertyType): string {
  const argument = argumentOf(value);
  const isOfText = value.kind === 'literal' && hasOwnType(value);
  if (!argument || argument.kind === 'null' || isOfText) return renderValue(context, value);
  // MySQL would round an instant to the nearest day.
  return placeholderFor(context, type === 'date' ? { ...argument, type } : argument);
}

/** A value that needs no SQL. */
export function argumentOf(
  value: Bound,
): Exclude<AssignedField['value'], { kind: 'computed' }> | undefined {
  switch (value.kind) {
    case 'null':
      return { kind: 'null' };
    case 'literal':
      return { kind: 'literal', text: value.text, type: value.type };
    case 'parameter':
      return { kind: 'parameter', path: value.slot.path, type: slotType(value.slot) ?? 'any' };
    default:
      return undefined;
  }
}
