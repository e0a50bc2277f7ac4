/** The possible answers: values, and rows of which some may come in any order. */
import type { Value } from './value.js';

export type Expected = ExpectedValue | ExpectedRow | ExpectedRows;

export interface ExpectedValue {
  readonly kind: 'value';
  readonly value: Value;
}

/** The members of the row in the order of the answer. */
export interface ExpectedRow {
  readonly kind: 'row';
  readonly members: ReadonlyMap<string, Expected>;
}

/**
 * Rows in classes. The rows of a class come before those of the next class, in any order among
 * themselves. Of all rows, those from `from` up to but not including `to` are answered.
 */
export interface ExpectedRows {
  readonly kind: 'rows';
  readonly classes: readonly (readonly ExpectedRow[])[];
  readonly from: number;
  readonly to: number;
}

/** The number of rows in the answer. */
export function countOf({ classes, from, to }: ExpectedRows): number {
  const all = classes.reduce((sum, { length }) => sum + length, 0);
  return Math.max(0, Math.min(all, to) - from);
}
