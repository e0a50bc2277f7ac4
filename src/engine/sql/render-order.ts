/** Renders sort keys. */
import { hasAggregate } from '../query/groups.js';
import type { BoundSortKey } from '../query/logical.js';
import { renderColumn, renderKey, type RenderContext } from './render-expression.js';

/** The ORDER BY clause; empty without keys. */
export function renderOrder(context: RenderContext, sort: readonly BoundSortKey[]): string[] {
  if (sort.length === 0) return [];
  return [`ORDER BY ${sort.map((key) => renderSortKey(context, key)).join(', ')}`];
}

function renderSortKey(context: RenderContext, { value, output, descending }: BoundSortKey) {
  if (value.kind === 'column' && !value.nullable) {
    return `${renderColumn(context, value)}${descending ? ' DESC' : ''}`;
  }
  const isNamed = context.dialect.namesGroups || !hasAggregate(value);
  const isComputed = value.kind !== 'column' && output !== undefined && isNamed;
  const key = () => (isComputed ? context.dialect.quoteAlias(output) : renderKey(context, value));
  return context.dialect.sortKey(key, descending);
}
