/** Conversions between types. */
import { integer, parseDecimal, toDigits } from '../decimal.js';
import { withoutType } from '../operators.js';
import { unsure } from '../unsure.js';
import { doubleOf, isDecimal, isNumeric, type Known, textOf, type Value } from '../value.js';
import type { KnownFunction } from './call.js';

export const convertFunctions: Readonly<Record<string, KnownFunction>> = {
  toString: (value: Known = '') => textOf(value),
  toJson: (value: Known = '') => jsonOf(value),
  toNumber: (value: Known = '') => numberOf(value),
  toDecimal: (value: Known = '') => numberOf(value),
  toInteger: (value: Known = '') => wholeOf(numberOf(value)),
};

/** The JSON of a value: numbers and booleans without quotes, all others as strings. */
function jsonOf(value: Known): string {
  const isBare = isNumeric(value) || typeof value === 'boolean';
  return isBare ? textOf(value) : JSON.stringify(textOf(value));
}

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Null for a text that is not a number. */
function numberOf(value: Known): Value {
  if (typeof value === 'boolean') return integer(value ? 1n : 0n);
  if (isDecimal(value)) return value;
  const text = typeof value === 'string' ? value.trim() : textOf(value);
  return number.test(text) ? withoutType(parseDecimal(text.replace(/^\+/, ''))) : null;
}

function wholeOf(value: Value): Value {
  if (value === null || !isDecimal(value)) return null;
  if (value.near) unsure(`a whole number near ${doubleOf(value)}`);
  return integer(toDigits(value, 'trunc').units);
}
