import type { Domain } from '../world/domain.js';

/** Whether a query does not define which of several equally sorted rows it answers. */
const isCut = /\.(page|first|last)\(/;
const isSorted = /\.(sort|order)\(/;

/** Without a sort, limited rows are ordered by primary key, if they have one. */
export function leavesRowsOpen({ entities }: Domain, text: string): boolean {
  const isOpen = isSorted.test(text) || entities.some(({ primaryKey }) => primaryKey.length === 0);
  return text.includes('take(') || (isCut.test(text) && isOpen);
}
