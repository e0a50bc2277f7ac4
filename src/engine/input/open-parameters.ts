/** Finds numbers, booleans and strings among parameters whose type nothing in the query tells. */
import type { CompiledQuery } from '../compiled-query.js';
import { type DataValue, ExactNumber } from '../values/data-value.js';
import { scalarText } from '../values/scalar-text.js';
import { markOf } from '../variant.js';

type Open = Pick<CompiledQuery, 'openComparisons' | 'openOrders' | 'openConversions'>;
type Found = DataValue | undefined;

/** Adds a mark to `variant` for each of these parameters. */
export function markOpenParameters(
  { openComparisons = [], openOrders = [], openConversions = [] }: Open,
  valueOf: (name: string) => Found,
  variant: string[],
): void {
  const mark = (kind: 'numbers' | 'booleans' | 'strings', group: readonly string[]) =>
    variant.push(...group.map((name) => markOf(kind, name)));
  for (const group of openComparisons) {
    if (areAll(group.map(valueOf), isNumber)) mark('numbers', group);
  }
  for (const group of openOrders) {
    if (areAll(group.map(valueOf), isString)) mark('strings', group);
  }
  for (const group of openConversions) {
    const values = group.map(valueOf);
    if (areAll(values, isNumber)) mark('numbers', group);
    else if (areAll(values, isBoolean)) mark('booleans', group);
  }
}

/** Whether some values pass the test, and the others are null. */
function areAll(values: readonly Found[], test: (value: Found) => boolean): boolean {
  const items: readonly Found[] = values.flat();
  const found = items.filter((item) => item !== undefined && item !== null);
  return found.length > 0 && found.every(test);
}

export function isNumber(value: Found): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}

function isBoolean(value: Found): boolean {
  return typeof value === 'boolean';
}

/** Whether it is a string that databases can store. */
function isString(value: Found): boolean {
  return typeof value === 'string' && scalarText('string', value) !== undefined;
}
