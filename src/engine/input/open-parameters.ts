/** Finds numbers, booleans and strings among parameters whose type nothing in the query tells. */
import type { CompiledQuery } from '../compiled-query.js';
import { type DataValue, ExactNumber } from '../values/data-value.js';
import { scalarText } from '../values/scalar-text.js';
import { markBoolean, markNumber, markString } from '../variant.js';

type Open = Pick<CompiledQuery, 'openComparisons' | 'openOrders' | 'openConversions'>;
type Found = DataValue | undefined;

/** Adds a mark to `variant` for each of these parameters. */
export function markOpenParameters(
  { openComparisons = [], openOrders = [], openConversions = [] }: Open,
  valueOf: (name: string) => Found,
  variant: string[],
): void {
  for (const group of openComparisons) {
    if (areAll(group.map(valueOf), isNumber)) variant.push(...group.map(markNumber));
  }
  for (const group of openOrders) {
    if (areAll(group.map(valueOf), isString)) variant.push(...group.map(markString));
  }
  for (const group of openConversions) {
    const values = group.map(valueOf);
    if (areAll(values, isNumber)) variant.push(...group.map(markNumber));
    else if (areAll(values, isBoolean)) variant.push(...group.map(markBoolean));
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
