/** Where an answer differs from what was expected, value by value. */
import { canonicalNumber } from './language-fixture.js';

const NEAR = 1e-12;

/** One sentence for each difference; rows without an order are compared as sets. */
export function differences(expected: unknown, found: unknown, isOrdered: boolean): string[] {
  const faults: string[] = [];
  const settle = isOrdered ? (value: unknown) => value : sorted;
  compare(settle(expected), settle(found), 'rows', faults);
  return faults.slice(0, 5);
}

function compare(expected: unknown, found: unknown, path: string, faults: string[]): void {
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) {
      faults.push(`${path}: ${expected.length} expected, ${found.length} found`);
      return;
    }
    for (const [index, each] of expected.entries()) {
      compare(each, found[index], `${path}[${index}]`, faults);
    }
  } else if (isNear(expected)) {
    const value = numberOf(found);
    const allowed = NEAR * Math.max(1, Math.abs(expected.near));
    if (!(Math.abs(value - expected.near) <= allowed)) note(expected, found, path, faults);
  } else if (isObject(expected) && isObject(found)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
    for (const name of names) compare(expected[name], found[name], `${path}.${name}`, faults);
  } else if (plain(expected) !== plain(found)) note(expected, found, path, faults);
}

function note(expected: unknown, found: unknown, path: string, faults: string[]): void {
  faults.push(`${path}: ${JSON.stringify(expected)} expected, ${JSON.stringify(found)} found`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNear(value: unknown): value is { readonly near: number } {
  return isObject(value) && typeof value['near'] === 'number';
}

function numberOf(value: unknown): number {
  return typeof value === 'string' ? Number(value.replace('number ', '')) : Number.NaN;
}

/** Numbers by their digits. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string' || !/^number -?\d/.test(value)) return value;
  return `number ${canonicalNumber(value.slice('number '.length))}`;
}

/** By their text; what is near is left to the comparison. */
function sorted(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  const keyed = rows.map((row) => ({ row, text: JSON.stringify(row, settled) }));
  return keyed
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ row }) => row);
}

function settled(_: string, value: unknown): unknown {
  if (isNear(value)) return `number ${value.near.toPrecision(9)}`;
  if (typeof value === 'string' && value.startsWith('number ')) {
    return `number ${numberOf(value).toPrecision(9)}`;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
