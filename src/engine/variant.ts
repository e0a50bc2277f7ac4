/**
 * What a query is compiled anew for: values that its plan does not expect, of parameters that the plan
 * names as sensitive. A request has a list of marks, one for each such value; most have none.
 */

/** Which parameters (by dotted name) have values that the plan does not expect. */
export interface Variant {
  /** These parameters are null and compiled as the literal. */
  readonly nulls: readonly string[];
  /** They are numbers other than integers of 64 bits, and are decimals. */
  readonly otherNumbers: readonly string[];
  /** These parameters are numbers, which the query itself does not show. */
  readonly numbers: readonly string[];
}

/** Follows the name of a number; names cannot contain it. */
const OTHER_NUMBER = '#';
const NUMBER = '%';

/** The mark of a parameter that is null. */
export function markNull(name: string): string {
  return name;
}

/** The mark of a parameter that is compared with integers, and is another number. */
export function markOtherNumber(name: string): string {
  return name + OTHER_NUMBER;
}

/** The mark of a parameter that only meets others, and is a number as they are. */
export function markNumber(name: string): string {
  return name + NUMBER;
}

/** What the marks of a request say. */
export function readVariant(marks: readonly string[]): Variant {
  const named = (end: string) =>
    marks.flatMap((mark) => (mark.endsWith(end) ? [mark.slice(0, -1)] : []));
  return {
    nulls: marks.filter((mark) => !mark.endsWith(OTHER_NUMBER) && !mark.endsWith(NUMBER)),
    otherNumbers: named(OTHER_NUMBER),
    numbers: named(NUMBER),
  };
}
