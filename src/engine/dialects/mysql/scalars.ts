/** The texts of values on MySQL and MariaDB, where an array is a JSON document. */
import { EngineError } from '../../errors.js';
import { isNumeric } from '../../query/types.js';
import { isArray, itemOf } from '../../schema/array-types.js';
import type { ItemType, PropertyType } from '../../schema/model.js';
import { itemTexts } from '../../values/array-text.js';
import { scalarEncoder } from '../../values/scalar-json.js';
import { withoutExponent } from '../without-exponent.js';

/** The length of `YYYY-MM-DD`. A date without a day may have a time behind it. */
const DATE_LENGTH = 10;

/** A decimal in an array, from its JSON. */
export type DecimalItem = (json: string) => string;

/** The text of a value as the argument of a placeholder. Throws `value-out-of-range`. */
export function scalarsWith(decimalItem: DecimalItem) {
  return (text: string, type: PropertyType): string =>
    isArray(type) ? documentOf(itemTexts(text), itemOf(type), decimalItem) : scalar(text, type);
}

function scalar(text: string, type: PropertyType): string {
  if (type === 'boolean') return text === 'true' ? '1' : '0';
  if (type === 'dateTime') return commonYear(text).replace('T', ' ').replace('Z', '');
  if (type === 'date') return commonYear(text).slice(0, DATE_LENGTH);
  return type === 'decimal' ? withoutExponent(text) : text;
}

/**
 * The text of a date. One with a signed year would be compared as null or as a string. Throws
 * `value-out-of-range`.
 */
function commonYear(text: string): string {
  if (!/^[-+]/.test(text)) return text;
  const message = `The date ${text} is outside of the years 1 to 9999, which this database supports.`;
  throw new EngineError('value-out-of-range', message);
}

/** The JSON of an array: numbers, booleans, and texts, also of dates, in the form of the database. */
function documentOf(
  texts: readonly (string | null)[],
  item: ItemType,
  decimalItem: DecimalItem,
): string {
  const encode = scalarEncoder(isNumeric(item) || item === 'boolean' ? item : 'string');
  return `[${texts.map((text) => (text === null ? 'null' : encode(itemOfDocument(text, item, decimalItem)))).join(',')}]`;
}

/**
 * An item in its JSON form. A document can contain numbers of any size, but one that does not fit
 * its type would make every computation with the array fail. Throws `value-out-of-range`.
 */
function itemOfDocument(text: string, item: ItemType, decimalItem: DecimalItem): string {
  switch (item) {
    case 'integer': {
      const value = BigInt(text);
      if (BigInt.asIntN(64, value) === value) return `${value}`;
      throw new EngineError('value-out-of-range', 'An integer in a list needs more than 64 bits.');
    }
    case 'number': {
      const value = Number(text);
      if (Number.isFinite(value)) return `${value}`;
      const message = 'A number in a list is beyond the range of a double.';
      throw new EngineError('value-out-of-range', message);
    }
    case 'decimal':
      return decimalItem(bounded(scalar(text, item)));
    default:
      return scalar(text, item);
  }
}

/** A {@link DecimalItem}: a decimal in the JSON of MySQL is a double. Throws `value-out-of-range` if it would lose digits. */
export function exactDouble(text: string): string {
  const shortest = (digits: string) => digits.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  if (shortest(text) === shortest(withoutExponent(`${Number(text)}`))) return text;
  const message = `In a list, MySQL stores ${text} as a double, which has fewer digits.`;
  throw new EngineError('value-out-of-range', message);
}

/**
 * The most digits of a decimal before its point; the database replaces a larger number by the largest
 * possible one.
 */
const WHOLE_DIGITS_MAX = 35;

export function bounded(text: string): string {
  const isLong = text.length > WHOLE_DIGITS_MAX || text.includes('e') || text.includes('E');
  if (!isLong || Math.abs(Number(text)) < 10 ** WHOLE_DIGITS_MAX) return text;
  const message = `A number has more than ${WHOLE_DIGITS_MAX} digits before its decimal point.`;
  throw new EngineError('value-out-of-range', message);
}
