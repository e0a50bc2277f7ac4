/** The columns of a list of rows. */
import { exactText, ExactNumber } from './exact-json.js';

export interface Column {
  readonly name: string;
  readonly isNumeric: boolean;
  /** In characters. */
  readonly width: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** The number of rows that determine names and widths. */
export const SAMPLED = 200;
const WIDTH_MIN = 6;
const WIDTH_MAX = 42;
/** For the sort mark, and the blanks beside the text. */
const EXTRA = 4;
/** For the button that unfolds included rows. */
const NESTED_WIDTH = 11;

/** The columns of rows, in the order in which they first occur. */
export function columnsOf(rows: readonly Row[]): readonly Column[] {
  const sample = rows.slice(0, SAMPLED);
  const names = new Set(sample.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => {
    const values = sample.map((row) => row[name]);
    const longest = Math.max(name.length + 1, ...values.map(lengthOf));
    return {
      name,
      isNumeric:
        values.some(isNumber) && values.every((value) => value === null || isNumber(value)),
      width: Math.min(Math.max(longest, WIDTH_MIN), WIDTH_MAX) + EXTRA,
    };
  });
}

function lengthOf(value: unknown): number {
  return isNested(value) ? NESTED_WIDTH : cellText(value).length;
}

/** The value as a row; a value that is not an object becomes its only column. */
export function rowOf(value: unknown): Row {
  return isRow(value) ? value : { value };
}

/** The rows of a nested value: a list, or one object. */
export function nestedRows(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.map(rowOf);
  return isRow(value) ? [value] : [];
}

/** Whether a value can be unfolded: an object, or a list of objects. */
export function isNested(value: unknown): boolean {
  return isRow(value) || (Array.isArray(value) && value.length > 0 && value.every(isRow));
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(isRow)) return value.length === 0 ? '0 rows' : '';
  if (isRow(value)) return '';
  return exactText(value).replaceAll(/\s*\n\s*/g, ' ');
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}

export function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof ExactNumber);
}
