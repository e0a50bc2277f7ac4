/** Converts values to those that the columns of properties store. */
import { codedOf } from '../evaluate/coded.js';
import { type Decimal, toDigits } from '../evaluate/decimal.js';
import { jsonValue } from '../evaluate/json-value.js';
import { unsure } from '../evaluate/unsure.js';
import { withoutType } from '../evaluate/operators.js';
import { dateOf } from '../evaluate/moment.js';
import {
  clockOf,
  doubleOf,
  isArrayValue,
  isDecimal,
  isNumeric,
  momentOf,
  textOf,
  type Value,
} from '../evaluate/value.js';
import { enumValues, itemTypeOf, type Property } from '../world/domain.js';

/** The value, converted to the type of the property. */
export function typed(property: Property, value: Value): Value {
  const { type, digits } = property;
  if (value === null) return null;
  if (!isExact(property, value)) unsure('the digits of a number of single precision');
  if (type === 'json') return jsonValue(value);
  if (isArrayValue(value)) {
    const item: Property = { ...property, type: itemTypeOf(type) ?? 'any' };
    return { ...value, items: value.items.map((each) => typed(item, each)) };
  }
  switch (type) {
    case 'decimal':
      return isDecimal(value) ? withoutType(rounded(value, digits)) : value;
    case 'number':
      return isNumeric(value)
        ? { kind: 'number', value: doubleOf(value), near: value.near }
        : value;
    case 'dateTime':
      return { ...momentOf(value), kind: 'dateTime' };
    case 'date':
      return dateOf(momentOf(value));
    case 'time':
      return clockOf(value);
    case 'uuid':
    case 'binary':
    case 'interval':
    case 'inet':
      return codedOf(type, textOf(value));
    case 'enum':
      return isEnumText(value) ? valueOfEnum(value) : value;
    default:
      return value;
  }
}

/** The digits of single precision that databases return. */
const SINGLE_DIGITS = 6;

/** Whether the column stores and returns all digits of a number. */
export function isExact({ isSingle }: Property, value: Value): boolean {
  if (!isSingle || !isNumeric(value)) return true;
  const number = doubleOf(value);
  return Math.fround(number) === number && Math.abs(number) < 10 ** SINGLE_DIGITS;
}

/** A text that is not in the enum stays a text. */
function isEnumText(value: Value): value is string {
  return typeof value === 'string' && enumValues.includes(value);
}

function valueOfEnum(text: string): Value {
  return { kind: 'enum', text, place: enumValues.indexOf(text) };
}

function rounded(value: Decimal, digits: Property['digits']): Decimal {
  return digits ? toDigits(value, 'round', digits.scale) : value;
}

const BITS = 32;
const LONG_BITS = 64;

/** Whether the column can store a number that was converted to the type of the property. */
export function isInRange({ type, isLong, digits, range }: Property, value: Value): boolean {
  if (!isDecimal(value)) return true;
  if (range) return value.units >= range[0] && value.units <= range[1];
  if (type === 'integer') {
    return BigInt.asIntN(isLong ? LONG_BITS : BITS, value.units) === value.units;
  }
  if (type !== 'decimal' || !digits) return true;
  const whole = toDigits(value, 'trunc').units;
  return (
    String(whole < 0n ? -whole : whole).length <= digits.precision - digits.scale || whole === 0n
  );
}
