/** Renders values of related rows. */
import { guardFilter } from '../query/guard-by-case.js';
import type { BoundSubselect } from '../query/logical.js';
import { renderAggregate } from './render-aggregate.js';
import {
  renderColumn,
  renderCondition,
  renderOperand,
  renderRowConditions,
  renderTable,
  type RenderContext,
} from './render-expression.js';
import { renderJoins } from './render-joins.js';
import { renderOrder } from './render-order.js';

/** Renders a correlated sub-select over the rows of a relation. */
export function renderSubselect(outer: RenderContext, bound: BoundSubselect): string {
  const context: RenderContext = { ...outer, isInSubselect: true };
  const { row, keys, filter, sort } = bound;
  const alias = context.aliases(row);
  const value = renderAggregate(context, bound);
  const from = `FROM ${renderTable(context, row)} ${alias}`;
  const joins = renderJoins(context, row);
  const own = bound.ties.map((column) => renderColumn(context, column));
  const ties = keys.map((key, index) => `${own[index]} = ${renderOperand(context, key)}`);
  const conditions = [...ties, ...renderRowConditions(context, row)];
  if (filter) conditions.push(renderCondition(context, guardFilter(row, filter)));
  const where = conditions.join(' AND ');
  const ordered = sort ? [...renderOrder(context, sort, { row, filter }), 'LIMIT 1'] : [];
  const select = [`SELECT ${value}`, from, ...joins, `WHERE ${where}`, ...ordered].join(' ');
  return bound.name === 'exists' ? `EXISTS (${select})` : `(${select})`;
}
