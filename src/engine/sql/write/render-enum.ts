/**
 * Renders computed values of enums, which are texts, for a database that stores them in enumerated types and does not
 * convert texts to them.
 */
import type { Bound, BoundColumn } from '../../query/logical.js';
import { placeholderFor } from '../placeholders.js';
import {
  renderColumn,
  renderTable,
  renderValue,
  type RenderContext,
} from '../render-expression.js';
import { argumentOf } from './assigned-argument.js';

/** The value as one of the column's type; undefined if the database converts texts by itself. */
export function renderEnum(
  context: RenderContext,
  column: BoundColumn,
  value: Bound,
): string | undefined {
  const { enumOfText } = context.dialect.writes;
  if (!enumOfText) return undefined;
  const { row } = column;
  // The types of merged values are only known when they are sent.
  const isMerged = context.placeholderOverride !== undefined;
  if (!isMerged && isChoice(column, value)) return renderChoice(context, column, value);
  const base = isMerged ? `NULL::${renderTable(context, row)}` : `${context.aliases(row)}.*`;
  return enumOfText(renderValue(context, value), base, column.column);
}

/**
 * Whether the value is one of constants and of the column itself, none of which is computed. Another column of the enum
 * may have another type in the database.
 */
function isChoice(column: BoundColumn, value: Bound): boolean {
  switch (value.kind) {
    case 'column':
      return value.row === column.row && value.property === column.property;
    case 'conditional':
      return isChoice(column, value.consequent) && isChoice(column, value.alternate);
    case 'binary':
      return (
        value.operator === '??' && isChoice(column, value.left) && isChoice(column, value.right)
      );
    default:
      return argumentOf(value) !== undefined;
  }
}

function renderChoice(context: RenderContext, column: BoundColumn, value: Bound): string {
  const choice = (of: Bound) => renderChoice(context, column, of);
  switch (value.kind) {
    case 'conditional': {
      const test = renderValue(context, value.test);
      return `CASE WHEN ${test} THEN ${choice(value.consequent)} ELSE ${choice(value.alternate)} END`;
    }
    case 'binary':
      return `COALESCE(${choice(value.left)}, ${choice(value.right)})`;
    default: {
      const argument = argumentOf(value);
      if (!argument || argument.kind === 'null') return renderValue(context, value);
      // A placeholder takes its type from the column beside it.
      const own = renderColumn(context, column);
      return `CASE WHEN FALSE THEN ${own} ELSE ${placeholderFor(context, argument)} END`;
    }
  }
}
