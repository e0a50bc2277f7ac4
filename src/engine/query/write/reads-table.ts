/**
 * Finds out whether the condition of a write reads rows of a table other than through the written row.
 */
import type { RowSource } from '../logical.js';
import { someWithin } from '../same-bound.js';
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
  const joined = joinedTo(filtered);
  const conditions = [row, filtered, ...joined].flatMap(({ predicates }) => predicates);
  if (filter) conditions.push(filter);
  return (
    joined.some(isOf) ||
    conditions.some((condition) =>
      someWithin(
        condition,
        (part) => part.kind === 'subselect' && [part.row, ...joinedTo(part.row)].some(isOf),
      ),
    )
  );
}

function joinedTo({ joins }: RowSource): readonly RowSource[] {
  return [...joins.values()].flatMap(({ row }) => [row, ...joinedTo(row)]);
}
