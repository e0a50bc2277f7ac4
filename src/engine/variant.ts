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
  /** They are booleans, which the query itself does not show. */
  readonly booleans: readonly string[];
  /** They are strings, which the query itself does not show. */
  readonly strings: readonly string[];
}

/** They follow the names; names cannot contain them. */
const OTHER_NUMBER = '#';
const NUMBER = '%';
const BOOLEAN = '?';
const STRING = '"';
const ENDS = [OTHER_NUMBER, NUMBER, BOOLEAN, STRING];

/** The mark for a parameter that is null. */
export function markNull(name: string): string {
  return name;
}

/** The mark for a parameter that is compared with integers, but is another number. */
export function markOtherNumber(name: string): string {
  return name + OTHER_NUMBER;
}

/** The mark for a parameter whose type nothing in the query tells, and that is a number. */
export function markNumber(name: string): string {
  return name + NUMBER;
}

/** The mark for a parameter that is converted, whose type nothing in the query tells, and that is a boolean. */
export function markBoolean(name: string): string {
  return name + BOOLEAN;
}

/** The mark for a parameter by which rows are ordered, whose type nothing in the query tells, and that is a string. */
export function markString(name: string): string {
  return name + STRING;
}

/** Reads the marks of a request. */
export function readVariant(marks: readonly string[]): Variant {
  const named = (end: string) =>
    marks.flatMap((mark) => (mark.endsWith(end) ? [mark.slice(0, -1)] : []));
  return {
    nulls: marks.filter((mark) => !ENDS.some((end) => mark.endsWith(end))),
    otherNumbers: named(OTHER_NUMBER),
    numbers: named(NUMBER),
    booleans: named(BOOLEAN),
    strings: named(STRING),
  };
}
