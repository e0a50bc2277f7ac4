/** Renders sort keys. */
import { hasAggregate } from '../query/groups.js';
import type { Bound, BoundSortKey } from '../query/logical.js';
import { sameBound, someWithin } from '../query/same-bound.js';
import { renderColumn, renderKey, type RenderContext } from './render-expression.js';

/** The ORDER BY clause of rows that fulfil a filter; empty without keys. */
export function renderOrder(
  context: RenderContext,
  sort: readonly BoundSortKey[],
  filter: Bound | undefined,
): string[] {
  if (sort.length === 0) return [];
  const keys = sort.map((key, index) =>
    renderSortKey(context, key, { filter, isFirst: index === 0 }),
  );
  return [`ORDER BY ${keys.join(', ')}`];
}

interface Place {
  readonly filter: Bound | undefined;
  readonly isFirst: boolean;
}

function renderSortKey(
  context: RenderContext,
  { value, output, descending }: BoundSortKey,
  { filter, isFirst }: Place,
): string {
  const { dialect } = context;
  const isPlain = value.kind === 'column' && !value.nullable;
  const isVarying = !(isPlain && isFirst) && filter !== undefined && mayFix(filter, value);
  const keep = (sql: string): string => (isVarying && !isEnum(value) ? dialect.keepKey(sql) : sql);
  if (isPlain) {
    const sql = context.named?.(value) ?? renderColumn(context, value);
    return `${keep(sql)}${descending ? ' DESC' : ''}`;
  }
  const isNamed = dialect.namesGroups || !hasAggregate(value);
  const isComputed = value.kind !== 'column' && output !== undefined && isNamed;
  const key = () => (isComputed ? dialect.quoteAlias(output) : renderKey(context, value));
  return dialect.sortKey(key, descending, keep);
}

/**
 * Whether the filter may leave a single value of a sort key for some parameters, and several for others:
 * `in(p.a, [x, y])` does if x equals y.
 */
function mayFix(filter: Bound, key: Bound): boolean {
  if (filter.kind !== 'binary') return someWithin(filter, (part) => sameBound(part, key));
  if (filter.operator === '&&') return mayFix(filter.left, key) || mayFix(filter.right, key);
  return filter.operator === '||' && someWithin(filter, (part) => sameBound(part, key));
}

/** An enum is sorted by the order of its values, which an expression does not have. */
function isEnum(value: Bound): boolean {
  return value.kind === 'column' && value.enumName !== undefined;
}
