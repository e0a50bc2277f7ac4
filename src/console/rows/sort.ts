/** Sorts rows by a column. */
import type { Row } from './columns.js';
import { ExactNumber } from './exact-json.js';

export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator('en');

/** The sort after a click on the head of a column: ascending, descending, as received. */
export function nextSorting(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? undefined : { column, isDescending: true };
}

/** The rows in their order; nulls come last in ascending order, as in the language. */
export function sorted(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (sorting === undefined) return rows;
  const { column, isDescending } = sorting;
  const direction = isDescending ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(a[column], b[column]));
}

function compare(a: unknown, b: unknown): number {
  const isLast = rank(a) - rank(b);
  if (isLast !== 0) return isLast;
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : compareDigits(a, b);
  return collator.compare(text(a), text(b));
}

/** Numbers, then strings, then included rows by their number, then nulls. */
function rank(value: unknown): number {
  if (value === null || value === undefined) return 3;
  return numeric(value) === undefined ? 1 : 0;
}

function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof ExactNumber) return Number(value.text);
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? value.length : undefined;
}

/** Compares numbers that are equal as doubles, if both are written without exponents. */
function compareDigits(a: unknown, b: unknown): number {
  const [x, y] = [digitsOf(a), digitsOf(b)];
  if (!x || !y) return 0;
  const places = Math.max(x.fraction.length, y.fraction.length);
  const [one, other] = [x, y].map(({ whole, fraction }) =>
    BigInt(whole + fraction.padEnd(places, '0')),
  );
  return one === undefined || other === undefined || one === other ? 0 : one < other ? -1 : 1;
}

function digitsOf(value: unknown) {
  const written = value instanceof ExactNumber ? value.text : String(value);
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(written) ?? [];
  return whole === undefined ? undefined : { whole, fraction };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
