/** What an answer may be: values, and rows of which some may stand in any order. */
import type { Value } from './value.js';

export type Expected = ExpectedValue | ExpectedRow | ExpectedRows;

export interface ExpectedValue {
  readonly kind: 'value';
  readonly value: Value;
}

/** Its members in the order of the answer. */
export interface ExpectedRow {
  readonly kind: 'row';
  readonly members: ReadonlyMap<string, Expected>;
}

/**
 * Rows in classes: those of one class stand before those of the next, in any order among themselves.
 * Of all of them, those from `from` to before `to` are answered.
 */
export interface ExpectedRows {
  readonly kind: 'rows';
  readonly classes: readonly (readonly ExpectedRow[])[];
  readonly from: number;
  readonly to: number;
}

/** How many rows are answered. */
export function countOf({ classes, from, to }: ExpectedRows): number {
  const all = classes.reduce((sum, { length }) => sum + length, 0);
  return Math.max(0, Math.min(all, to) - from);
}
