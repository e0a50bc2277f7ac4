/** Whether what chooses the rows of a write reads rows of a table, beside its own row. */
import type { RowSource } from '../logical.js';
import { someWithin } from '../same-bound.js';
import type { BoundFilteredWrite } from './bound-write.js';

/** `mapping`: the table's name, in the source of the write. */
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
