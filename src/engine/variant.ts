/**
 * What a query is compiled anew for: values that its plan does not expect, of parameters that the plan
 * names as sensitive. A request has a list of marks, one for each such value; most have none.
 */

/** Which parameters (by dotted name) have values that the plan does not expect. */
export interface Variant {
  /** They are null, and stand for the literal. */
  readonly nulls: readonly string[];
  /** They are numbers other than integers of 64 bits, and are decimals. */
  readonly otherNumbers: readonly string[];
}

/** Stands behind the name of a number; names have no such letter. */
const NUMBER = '#';

/** The mark of a parameter that is null. */
export function markNull(name: string): string {
  return name;
}

/** The mark of a parameter that is compared with integers, and is another number. */
export function markNumber(name: string): string {
  return name + NUMBER;
}

/** What the marks of a request say. */
export function readVariant(marks: readonly string[]): Variant {
  return {
    nulls: marks.filter((mark) => !mark.endsWith(NUMBER)),
    otherNumbers: marks.flatMap((mark) => (mark.endsWith(NUMBER) ? [mark.slice(0, -1)] : [])),
  };
}
