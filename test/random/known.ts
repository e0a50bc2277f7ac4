/**
 * Faults of the program that are known and not yet mended, by the constructs that show them: random
 * queries leave these out. Empty when there is none.
 */
export type KnownFault =
  | 'zero-division'
  | 'power-domain'
  | 'wide-shift'
  | 'far-dates'
  | 'bare-parameter'
  | 'mixed-numbers'
  | 'first-of-relation'
  | 'count-of-conditions'
  | 'log-of-base'
  | 'delete-include'
  | 'upsert-without-key'
  | 'one-to-one-inverse'
  | 'weak-required'
  | 'outer-aggregate'
  | 'null-padding'
  | 'default-instant'
  | 'large-products'
  | 'bare-texts'
  | 'update-path'
  | 'update-nobody'
  | 'import-null-default'
  | 'written-subquery'
  | 'keyless-join';

const faults: readonly KnownFault[] = [
  'zero-division',
  'power-domain',
  'wide-shift',
  'far-dates',
  'bare-parameter',
  'mixed-numbers',
  'first-of-relation',
  'count-of-conditions',
  'log-of-base',
  'one-to-one-inverse',
  'weak-required',
  'outer-aggregate',
  'null-padding',
  'default-instant',
  'large-products',
  'bare-texts',
];

export function isKnown(fault: KnownFault): boolean {
  return faults.includes(fault);
}
