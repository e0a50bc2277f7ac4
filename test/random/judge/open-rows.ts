import { isSortable } from '../generate/expression.js';
import type { Domain } from '../world/domain.js';

/** Whether a query does not define which of several equally sorted rows it answers. */
const isCut = /\.(page|first|last)\(/;
const isSorted = /\.(sort|order)\(/;
const isGrouped = /\b(count|sum|min|max|avg|distinct)\(/;

/** Without a sort, limited rows are ordered by primary key, if they have one, and groups by those keys that have an order. */
export function leavesRowsOpen({ entities }: Domain, text: string): boolean {
  const readsUnsortable = entities.some(({ properties }) =>
    properties.some(({ name, type }) => !isSortable(type) && text.includes(`.${name}`)),
  );
  const isOpen =
    isSorted.test(text) ||
    (isGrouped.test(text) && readsUnsortable) ||
    entities.some(({ primaryKey }) => primaryKey.length === 0);
  return text.includes('take(') || (isCut.test(text) && isOpen);
}
