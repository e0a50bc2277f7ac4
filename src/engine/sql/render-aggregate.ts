/** Renders aggregates. */
import type { BoundAggregate, BoundSubselect } from '../query/logical.js';
import { isProduct } from './digits.js';
import { plainExtreme, plainValue } from './plain-value.js';
import { computedType } from './digits.js';
import { nullNumber } from './render-arithmetic.js';
import {
  isKeyByCodePoint,
  renderBound,
  type RenderContext,
  renderKey,
  renderMaterialized,
} from './render-expression.js';

/** What an aggregate, or a sub-select over related rows, selects. */
export function renderAggregate(
  { aggregated, ...outer }: RenderContext,
  { kind, name, argument, distinct }: BoundAggregate | BoundSubselect,
): string {
  if (name === 'exists') return '1';
  const context = aggregated ?? outer;
  if (!argument) return 'COUNT(*)';
  if (name === 'only' || name === 'first') {
    return plainExtreme(context, argument, renderBound(context, argument).sql);
  }
  // Groups are stored in a temporary table, whose columns have the digits of the aggregated value.
  const render = kind === 'aggregate' && isProduct(argument) ? renderMaterialized : renderKey;
  const isSum = name === 'sum' || name === 'avg';
  const sqlOf = (sql: string) => (isSum ? plainValue(context, argument, sql) : sql);
  const isNullNumber = isSum && argument.kind === 'null';
  const value = () => (isNullNumber ? nullNumber(context) : sqlOf(render(context, argument)));
  const sql = () => `${distinct ? 'DISTINCT ' : ''}${value()}`;
  const aggregate = context.dialect.aggregate(name, sql, computedType(context, argument));
  const isExtremeText = name !== 'count' && isKeyByCodePoint(argument);
  if (isExtremeText) return context.dialect.uncollated?.(aggregate) ?? aggregate;
  const isExtreme = name === 'min' || name === 'max';
  return isExtreme ? plainExtreme(context, argument, aggregate) : aggregate;
}
