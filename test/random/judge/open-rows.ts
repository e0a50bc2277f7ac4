/** Whether a query leaves open which rows it answers: those that are equal in order. */
const isCut = /\.(page|first|last)\(/;
const isSorted = /\.(sort|order)\(/;

/** Without a sort, a cut is by the primary key. */
export function leavesRowsOpen(text: string): boolean {
  return text.includes('take(') || (isCut.test(text) && isSorted.test(text));
}
