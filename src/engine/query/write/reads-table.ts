/**
 * Finds out whether the condition of a write reads rows of a table other than through the written row.
 */
import type { Bound, RowSource } from '../logical.js';
import { rowsFrom, someWithin } from '../same-bound.js';
import type { BoundFilteredWrite } from './bound-write.js';

/**
 * Whether the filter, its joins or its sub-selects read the table; `mapping` is its name in the write's
 * source.
 */
export function readsTable(
  { row, filtered, filter }: Pick<BoundFilteredWrite, 'row' | 'filtered' | 'filter'>,
  mapping: string,
): boolean {
  const isOf = (each: RowSource): boolean => each.location.entity.mapping === mapping;
  const rows = rowsFrom(filtered);
  const conditions = [row, ...rows].flatMap(({ predicates }) => predicates);
  if (filter) conditions.push(filter);
  return rows.slice(1).some(isOf) || conditions.some((each) => selectsFrom(each, mapping));
}

/** Whether a sub-select of the expression reads the table. */
export function selectsFrom(bound: Bound, mapping: string): boolean {
  const isOf = (each: RowSource): boolean => each.location.entity.mapping === mapping;
  return someWithin(bound, (part) => part.kind === 'subselect' && rowsFrom(part.row).some(isOf));
}
