/** Renders the values that an UPDATE assigns. */
import type { AssignedField, WriteField } from '../../compiled-write.js';
import type { Bound, RowSource } from '../../query/logical.js';
import { slotType } from '../../query/parameters.js';
import type { BoundAssignment } from '../../query/write/bound-write.js';
import { placeholderFor } from '../placeholders.js';
import { hasOwnType, type RenderContext, renderTable, renderValue } from '../render-expression.js';
import { renderField } from './render-field.js';
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
    : enumValue(context, row, written, value);
  return { column, sql: writtenOverRow(context.dialect, written, sql) };
}

/** The value of a field; that of an enum is converted to the type of its column, if that is needed. */
function enumValue(
  context: RenderContext,
  row: RowSource,
  { property, allowed, type }: WriteField,
  value: Bound,
): string {
  const sql = renderAssigned(context, value);
  const mapping = row.location.columns.get(property)?.mapping;
  const { enumOfText } = context.dialect.writes;
  if (!enumOfText || !allowed || type !== 'string' || mapping === undefined) return sql;
  const isBare = value.kind === 'null' || (argumentOf(value) && !context.placeholderOverride);
  return isBare ? sql : enumOfText(sql, renderTable(context, row), mapping);
}

/** Renders an assigned value. A bare placeholder takes the type of its column. */
export function renderAssigned(context: RenderContext, value: Bound): string {
  const argument = argumentOf(value);
  const isOfText = value.kind === 'literal' && hasOwnType(value);
  return argument && argument.kind !== 'null' && !isOfText
    ? placeholderFor(context, argument)
    : renderValue(context, value);
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
