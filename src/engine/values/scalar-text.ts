/**
 * Converts a value of the data to the canonical text of a type, which a dialect then writes for its
 * database. A value of another type gives undefined.
 */
import { isArray, itemOf } from '../schema/array-types.js';
import type { ItemType, PropertyType, ScalarType } from '../schema/model.js';
import { type NestedTexts, textOfItems } from './array-text.js';
import { isBase64 } from './base64.js';
import { dataJson } from './data-json.js';
import { dateText, dateTimeText, timeText } from './date-text.js';
import { isDataList, type DataValue, ExactNumber } from './data-value.js';
import { readDecimal } from './evaluate/decimal.js';
import { inetText } from './inet-text.js';
import { intervalText, isInterval } from './interval-text.js';

/** A number as JSON has it. */
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,4})?$/;
/** The same, or `+007`, `.5`, `7.`. */
const looseNumberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;
const integerPattern = /^[+-]?\d+$/;
const decimalTextMax = 16_384;
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const readers = {
  integer: integerText,
  decimal: decimalText,
  number: decimalText,
  string: stringText,
  boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  dateTime: (value) => (typeof value === 'string' ? dateTimeText(value) : undefined),
  date: (value) => (typeof value === 'string' ? dateText(value) : undefined),
  time: (value) => (typeof value === 'string' ? timeText(value) : undefined),
  json: (value) => jsonWithout(escapedPattern, value),
  uuid: (value) =>
    typeof value === 'string' && uuidPattern.test(value) ? value.toLowerCase() : undefined,
  binary: (value) => (typeof value === 'string' && isBase64(value) ? value : undefined),
  interval: (value) =>
    typeof value === 'string' && isInterval(value) ? intervalText(value) : undefined,
  inet: (value) => (typeof value === 'string' ? inetText(value) : undefined),
  xml: stringText,
  any: anyText,
} satisfies Record<ScalarType, (value: DataValue) => string | undefined>;

/** Texts that are values of a type although {@link scalarText} refuses them. */
export interface OtherTexts extends Partial<Readonly<Record<ScalarType, OtherText>>> {
  /** Whether arrays may have several dimensions. */
  readonly hasNested?: true;
  /** Whether strings in JSON may have U+0000. */
  readonly hasNullsInJson?: true;
}

export interface OtherText {
  readonly pattern: RegExp;
  /** How messages name all values of the type, if their range is another one. */
  readonly name?: string;
}

/**
 * The canonical text of a non-null value: the digits of a number, `true` or `false`, the string
 * itself, `YYYY-MM-DDTHH:MM:SS.ffffffZ`, `YYYY-MM-DD`, `HH:MM:SS.fff`, an interval as it is answered, an address as
 * PostgreSQL writes it; for an array see `array-text.ts`. Undefined for a value of another type. `others` are kept as they are.
 */
export function scalarText(
  type: PropertyType,
  value: DataValue,
  others?: OtherTexts,
): string | undefined {
  if (isArray(type)) {
    const texts = arrayTexts(itemOf(type), value, others);
    return texts && textOfItems(texts);
  }
  return readers[type](value) ?? otherText(type, value, others);
}

function otherText(type: ScalarType, value: DataValue, others: OtherTexts | undefined) {
  if (type === 'json' && others?.hasNullsInJson) return jsonWithout(halfPattern, value);
  const isOther = typeof value === 'string' && others?.[type]?.pattern.test(value);
  return isOther ? value : undefined;
}

function arrayTexts(
  item: ItemType,
  value: DataValue,
  others: OtherTexts | undefined,
): NestedTexts | undefined {
  if (!isDataList(value)) return undefined;
  const texts = value.map((each) => {
    if (each === null) return null;
    const isNested = others?.hasNested && Array.isArray(each);
    return isNested ? arrayTexts(item, each, others) : scalarText(item, each, others);
  });
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function integerText(value: DataValue): string | undefined {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return undefined;
    // The digits that were sent, and not those of the nearest double, as for `1.2345678901234e18`.
    return Number.isSafeInteger(value) ? String(value) : readDecimal(String(value))?.toString();
  }
  const text = value instanceof ExactNumber ? value.text : value;
  return typeof text === 'string' && integerPattern.test(text) ? numberText(text) : undefined;
}

function decimalText(value: DataValue): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  const text = value instanceof ExactNumber ? value.text : value;
  return typeof text === 'string' ? numberText(text) : undefined;
}

/** The number as JSON has it; undefined if the text is not one. */
function numberText(text: string): string | undefined {
  if (text.length > decimalTextMax) return undefined;
  if (numberPattern.test(text)) return text;
  if (!looseNumberPattern.test(text)) return undefined;
  const unsigned = text
    .replace(/^[+-]/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/\.(?!\d)/, '');
  return `${text.startsWith('-') ? '-' : ''}${unsigned.startsWith('.') ? '0' : ''}${unsigned}`;
}

/** JSON escapes the characters that {@link stringText} refuses; a backslash may itself be escaped. */
const escapedPattern = /(?<!\\)(?:\\\\)*\\u(?:0000|d)/;
const halfPattern = /(?<!\\)(?:\\\\)*\\ud/;

function jsonWithout(unstorable: RegExp, value: DataValue): string | undefined {
  const text = dataJson(value);
  return text?.includes('\\u') && unstorable.test(text) ? undefined : text;
}

/** Databases cannot store U+0000 or half a surrogate pair. */
function stringText(value: DataValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.includes('\0') || !value.isWellFormed() ? undefined : value;
}

function anyText(value: DataValue): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return stringText(value);
  const text = decimalText(value);
  return text === undefined ? undefined : plainNumber(text);
}

/** The number as `toString` writes it: without an exponent or superfluous zeros. */
function plainNumber(text: string): string {
  const isLong = /[eE][+-]?\d{4}/.test(text);
  return isLong ? text : (readDecimal(text)?.toString() ?? text);
}
