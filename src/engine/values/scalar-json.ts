/**
 * Converts the text in which a database sends a value to JSON: digits are copied, dates rearranged,
 * strings escaped. Nothing is converted to a double or a Date.
 */
import { isArray, itemOf } from '../schema/array-types.js';
import type { PropertyType, ScalarType } from '../schema/model.js';
import { arrayJson } from './array-text.js';
import { shownFraction } from './date-text.js';
import { intervalText } from './interval-text.js';
import { replaceAround } from './quoted-strings.js';

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const infinitePattern = /^(?:NaN|-?infinity)$/i;
const specialNumberPattern = /^[+-]?(?:NaN|Infinity|inf)$/i;
// Characters that JSON escapes.
const escapedPattern = /[\u0000-\u001f"\\\ud800-\udfff]/;
const dateTimePattern =
  /^(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(?:Z|[+-]00(?::?00)?)?( BC)?$/;

const encoders = {
  integer: numberJson,
  decimal: numberJson,
  number: numberJson,
  string: stringJson,
  boolean: booleanJson,
  dateTime: (text) => momentJson(text, true),
  date: (text) => momentJson(text, false),
  time: timeJson,
  json: jsonOfColumn,
  uuid: stringJson,
  binary: stringJson,
  interval: (text) => stringJson(intervalText(text)),
  inet: stringJson,
  xml: stringJson,
  any: stringJson,
} satisfies Record<ScalarType, (text: string) => string>;

/**
 * The function that writes texts of a column of this type as JSON. `isExact`: NaN and infinities become strings
 * instead of null.
 */
export function scalarEncoder(type: PropertyType, isExact = false): (text: string) => string {
  if (isArray(type)) {
    const encodeItem = scalarEncoder(itemOf(type), isExact);
    return (text) => arrayJson(text, encodeItem);
  }
  const encode = encoders[type];
  return isExact
    ? (text) => (infinitePattern.test(text) ? stringJson(text) : encode(text))
    : encode;
}

export function stringJson(text: string): string {
  return escapedPattern.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** JSON without white space between its parts; a text that is not JSON becomes a string. */
function jsonOfColumn(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return stringJson(text);
  }
  return replaceAround(text, {
    string: (part) => part,
    between: (part) => part.replace(/\s+/g, ''),
  });
}

/**
 * The digits of the database without trailing zeros in the fraction; null for NaN and infinities.
 */
function numberJson(text: string): string {
  if (numberPattern.test(text)) return text.includes('.') ? withoutZeros(text) : positiveZero(text);
  return specialNumberPattern.test(text) ? 'null' : stringJson(text);
}

function withoutZeros(text: string): string {
  if (text.includes('e') || text.includes('E')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x30) end -= 1;
  if (text.charCodeAt(end - 1) === 0x2e) end -= 1;
  return positiveZero(text.slice(0, end));
}

function positiveZero(text: string): string {
  return text === '-0' ? '0' : text;
}

function booleanJson(text: string): string {
  switch (text) {
    case 't':
    case 'true':
    case '1':
      return 'true';
    case 'f':
    case 'false':
    case '0':
      return 'false';
    default:
      // A number of a TINYINT, of which only 1 is true.
      return /^-?\d+$/.test(text) ? 'false' : stringJson(text);
  }
}

/** A date of any year, with its time or with midnight; null for the infinities. */
function momentJson(text: string, withTime: boolean): string {
  if (text === 'infinity' || text === '-infinity') return 'null';
  const match = dateTimePattern.exec(text);
  if (!match) return stringJson(text);
  const [, year = '', month = '', day = '', time = '00:00:00', fraction = ''] = match;
  const date = `${isoYear(Number(year), match[6] !== undefined)}-${month}-${day}`;
  if (!withTime) return `"${date}T00:00:00.000Z"`;
  return `"${date}T${time}.${shownFraction(fraction)}Z"`;
}

/** ISO 8601 has a year 0 (1 BC), and writes years outside 0 to 9999 with a sign and six digits. */
function isoYear(year: number, isBeforeChrist: boolean): string {
  const astronomical = isBeforeChrist ? 1 - year : year;
  if (astronomical >= 0 && astronomical <= 9999) return String(astronomical).padStart(4, '0');
  return `${astronomical < 0 ? '-' : '+'}${String(Math.abs(astronomical)).padStart(6, '0')}`;
}

/** `HH:MM:SS`, with the fraction if there is one. */
function timeJson(text: string): string {
  const match = /^(\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(text);
  if (!match) return stringJson(text);
  const fraction = shownFraction(match[2] ?? '');
  return fraction === '000' ? `"${match[1]}"` : `"${match[1]}.${fraction}"`;
}
