/**
 * Faults of the program that are known and not yet mended, by the constructs that show them: random
 * queries leave these out. Empty when there is none.
 */
export type KnownFault =
  | 'bare-parameter'
  | 'delete-include'
  | 'upsert-without-key'
  | 'one-to-one-inverse'
  | 'weak-required'
  | 'default-instant'
  | 'large-products'
  | 'bare-blanks'
  | 'update-nobody'
  | 'import-null-default'
  | 'written-subquery'
  | 'keyless-join'
  | 'empty-page'
  | 'opposite-of-least'
  | 'null-number';

const faults: readonly KnownFault[] = ['large-products', 'bare-blanks', 'null-number'];

export function isKnown(fault: KnownFault): boolean {
  return faults.includes(fault);
}
