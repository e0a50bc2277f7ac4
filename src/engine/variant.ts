/**
 * Variants of a query: it is compiled again for values that its plan does not expect, of parameters
 * that the plan names as sensitive. A request has a mark for each such value; most have none.
 */

/** The parameters (by dotted name) with values that the plan does not expect. */
export interface Variant {
  /** They are null, and compiled as the literal null. */
  readonly nulls: readonly string[];
  /** They are numbers other than 64-bit integers, and compiled as decimals. */
  readonly otherNumbers: readonly string[];
  /** They are numbers, which the query itself does not show. */
  readonly numbers: readonly string[];
}

/** Follows the name of a number; names cannot contain it. */
const OTHER_NUMBER = '#';
const NUMBER = '%';

/** The mark for a parameter that is null. */
export function markNull(name: string): string {
  return name;
}

/** The mark for a parameter that is compared with integers, but is another number. */
export function markOtherNumber(name: string): string {
  return name + OTHER_NUMBER;
}

/** The mark for a parameter that is compared only with parameters, and is a number. */
export function markNumber(name: string): string {
  return name + NUMBER;
}

/** Reads the marks of a request. */
export function readVariant(marks: readonly string[]): Variant {
  const named = (end: string) =>
    marks.flatMap((mark) => (mark.endsWith(end) ? [mark.slice(0, -1)] : []));
  return {
    nulls: marks.filter((mark) => !mark.endsWith(OTHER_NUMBER) && !mark.endsWith(NUMBER)),
    otherNumbers: named(OTHER_NUMBER),
    numbers: named(NUMBER),
  };
}
