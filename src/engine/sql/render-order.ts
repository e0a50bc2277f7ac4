/** Renders sort keys. */

import { mayFail } from '../query/guard-by-case.js';
import type { Bound, BoundSortKey, RowSource } from '../query/logical.js';
import { rowConditions } from '../query/rows.js';
import { sameBound, someWithin } from '../query/same-bound.js';
import { isSortedByName } from './outputs.js';
import { renderColumn, renderKey, type RenderContext } from './render-expression.js';

/** The rows that are sorted: those of `row` that fulfil the filter. */
export interface SortedRows {
  /** Absent for groups and distinct rows, and in a window, where keys are computed for the remaining rows. */
  readonly row?: RowSource | undefined;
  readonly filter?: Bound | undefined;
}

/** The ORDER BY clause of rows; empty without keys. */
export function renderOrder(
  context: RenderContext,
  sort: readonly BoundSortKey[],
  { row, filter }: SortedRows = {},
): string[] {
  if (sort.length === 0) return [];
  const keys = sort.map((key, index) => renderSortKey(context, key, filter, index === 0));
  const { constantKey } = context.dialect;
  const isEarly = row && sort.some(({ value }) => mayFail(value)) && readsOthers(row, filter);
  if (constantKey !== undefined && isEarly) keys.push(constantKey);
  return [`ORDER BY ${keys.join(', ')}`];
}

/** Whether other rows determine which rows remain, so that the database may find out after it has sorted them. */
export function readsOthers(row: RowSource, filter: Bound | undefined): boolean {
  const isOther = (part: Bound) =>
    part.kind === 'subselect' || (part.kind === 'column' && part.row !== row);
  return [...rowConditions(row), ...(filter ? [filter] : [])].some((condition) =>
    someWithin(condition, isOther),
  );
}

function renderSortKey(
  context: RenderContext,
  { value, output, descending }: BoundSortKey,
  filter: Bound | undefined,
  isFirst: boolean,
): string {
  const { dialect } = context;
  const isPlain = value.kind === 'column' && !value.nullable;
  const isVarying = !(isPlain && isFirst) && filter !== undefined && mayFix(filter, value);
  const keep = (sql: string): string => (isVarying && !isEnum(value) ? dialect.keepKey(sql) : sql);
  if (isPlain) {
    const sql = context.named?.(value) ?? renderColumn(context, value);
    return `${keep(sql)}${descending ? ' DESC' : ''}`;
  }
  const name = isSortedByName(dialect, value) ? output : undefined;
  const key = () => (name === undefined ? renderKey(context, value) : dialect.quoteAlias(name));
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
