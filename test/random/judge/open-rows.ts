/** Whether a query does not define which of several equally sorted rows it answers. */
const isCut = /\.(page|first|last)\(/;
const isSorted = /\.(sort|order)\(/;

/** Without a sort, limited rows are ordered by primary key. */
export function leavesRowsOpen(text: string): boolean {
  return text.includes('take(') || (isCut.test(text) && isSorted.test(text));
}
