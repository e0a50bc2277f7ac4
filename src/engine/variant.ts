/**
 * Variants of a query: it is compiled again for values that its plan does not expect, of parameters
 * that the plan names as sensitive. A request has a mark for each such value; most have none.
 */

/** The kinds of such values, with what follows the name in a mark; names cannot contain it. */
const ends = {
  /** Null, which is compiled as the literal null. */
  nulls: '',
  /** Numbers other than 64-bit integers, which are compared with integers, and compiled as decimals. */
  otherNumbers: '#',
  /** Numbers; nothing in the query tells the type of these parameters. */
  numbers: '%',
  /** Booleans that are converted, likewise. */
  booleans: '?',
  /** Strings by which rows are ordered, likewise. */
  strings: '"',
} as const;

type Kind = keyof typeof ends;

/** The parameters (by dotted name) with values that the plan does not expect, by the kind of the value. */
export type Variant = Readonly<Record<Kind, readonly string[]>>;

/** The mark for a parameter with a value of that kind. */
export function markOf(kind: Kind, name: string): string {
  return name + ends[kind];
}

/** Reads the marks of a request. */
export function readVariant(marks: readonly string[]): Variant {
  const named = (kind: Kind) =>
    marks.flatMap((mark) => {
      const name = mark.replace(/[#%?"]$/, '');
      return markOf(kind, name) === mark ? [name] : [];
    });
  return {
    nulls: named('nulls'),
    otherNumbers: named('otherNumbers'),
    numbers: named('numbers'),
    booleans: named('booleans'),
    strings: named('strings'),
  };
}
