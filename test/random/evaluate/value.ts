/** Values of the evaluator, their comparison, and their text. */
import { type Coded, codedOf, compareCoded } from './coded.js';
import { type Data, Digits, isDataObject, jsonOfData, Written } from './data.js';
import { compareDecimals, type Decimal, decimalText, parseDecimal, SCALE_MAX } from './decimal.js';
import {
  type Clock,
  clockText,
  dateOf,
  type Moment,
  momentText,
  parseClock,
  parseMoment,
} from './moment.js';
import { unsure } from './unsure.js';

/** The value of an array property. */
export interface ArrayValue {
  readonly kind: 'array';
  readonly items: readonly Value[];
}

/** The value of a JSON property, or a part of one. */
export interface JsonValue {
  readonly kind: 'json';
  readonly data: Data;
}

/** A value of an enum column: a text that is sorted by its place in the enum. */
export interface EnumValue {
  readonly kind: 'enum';
  readonly text: string;
  readonly place: number;
  /** Whether `first` or `last` has selected it: MariaDB sorts such values as strings. */
  readonly isSelected?: boolean;
}

/** A number of type `number`. */
export interface Double {
  readonly kind: 'number';
  readonly value: number;
  /** Whether its last digits depend on the database. */
  readonly near: boolean;
}

export type Numeric = Decimal | Double;
export type Known =
  | boolean
  | string
  | Numeric
  | Moment
  | Clock
  | Coded
  | ArrayValue
  | JsonValue
  | EnumValue;
export type Value = null | Known;

export function double(value: number, near = false): Double | null {
  return Number.isFinite(value) ? { kind: 'number', value, near } : null;
}

export function isNumeric(value: Value): value is Numeric {
  return isDecimal(value) || isDouble(value);
}

export function isDecimal(value: Value): value is Decimal {
  return typeof value === 'object' && value?.kind === 'decimal';
}

export function isDouble(value: Value): value is Double {
  return typeof value === 'object' && value?.kind === 'number';
}

export function isMoment(value: Value): value is Moment {
  return typeof value === 'object' && (value?.kind === 'dateTime' || value?.kind === 'date');
}

export function isClock(value: Value): value is Clock {
  return typeof value === 'object' && value?.kind === 'time';
}

export function isCoded(value: Value): value is Coded {
  return typeof value === 'object' && codedKinds.includes(value?.kind ?? '');
}

const codedKinds: readonly string[] = ['uuid', 'binary', 'interval', 'inet'];

export function isArrayValue(value: Value): value is ArrayValue {
  return typeof value === 'object' && value?.kind === 'array';
}

export function isJsonValue(value: Value): value is JsonValue {
  return typeof value === 'object' && value?.kind === 'json';
}

export function isEnumValue(value: Value): value is EnumValue {
  return typeof value === 'object' && value?.kind === 'enum';
}

/** Operators and functions treat a value of an enum as a string. */
export function plain(value: Value): Value {
  return isEnumValue(value) ? value.text : value;
}

export function doubleOf(value: Numeric): number {
  return isDecimal(value) ? Number(decimalText(value)) : value.value;
}

/** The value of a parameter; null for nothing. */
export function dataValue(data: Data | undefined): Value {
  if (data instanceof Digits || data instanceof Written) return data.value;
  if (Array.isArray(data)) return { kind: 'array', items: data.map(dataValue) };
  if (isDataObject(data)) return { kind: 'json', data };
  return typeof data === 'string' || typeof data === 'boolean' ? data : null;
}

/** Negative, zero or positive. An ISO string is compared with a date or time as such. */
export function compareValues(a: Known, b: Known): number {
  if (isEnumValue(a) && isEnumValue(b)) return compareEnumValues(a, b);
  if (isEnumValue(a)) return compareValues(a.text, b);
  if (isEnumValue(b)) return compareValues(a, b.text);
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (isMoment(a) || isMoment(b)) return compareMoments(a, b);
  if (isCoded(a)) return compareCoded(a, codedOf(a.kind, textOf(b)));
  if (isCoded(b)) return -compareValues(b, a);
  if (isClock(a) || isClock(b)) return clockOf(a).ms - clockOf(b).ms;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new Error(`${typeof a} and ${typeof b} cannot be compared`);
}

function compareEnumValues(a: EnumValue, b: EnumValue): number {
  const difference = a.place - b.place;
  const isSelected = a.isSelected === true || b.isSelected === true;
  if (isSelected && difference * compareTexts(a.text, b.text) < 0) unsure('the order of an enum');
  return difference;
}

/** An approximate value cannot be compared with another one that is close. */
function compareNumbers(a: Numeric, b: Numeric): number {
  const [x, y] = [doubleOf(a), doubleOf(b)];
  if ((a.near || b.near) && isClose(x, y)) unsure('a comparison of approximate values');
  return isDecimal(a) && isDecimal(b) ? compareDecimals(a, b) : x - y;
}

export function isClose(x: number, y: number): boolean {
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y), 1e-9);
}

/** A string is read as a date beside a date, and as an instant beside an instant. */
function compareMoments(a: Known, b: Known): number {
  const [x, y] = [momentOf(a), momentOf(b)];
  const isDate = [a, b].some((each) => isMoment(each) && each.kind === 'date');
  const hasText = typeof a === 'string' || typeof b === 'string';
  const difference = isDate && hasText ? dateOf(x).us - dateOf(y).us : x.us - y.us;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A date is the instant of its start. */
export function momentOf(value: Value): Moment {
  const moment = typeof value === 'string' ? parseMoment(value) : value;
  if (moment === undefined || !isMoment(moment)) throw new Error('no date');
  return moment;
}

export function clockOf(value: Value): Clock {
  const clock = typeof value === 'string' ? parseClock(value) : value;
  if (clock === undefined || !isClock(clock)) throw new Error('no time of day');
  return clock;
}

/** By code points. UTF-16 code units would sort characters above U+FFFF before U+E000. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < left.length && at < right.length; at += 1) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** The result of `toString`. Throws if the digits are not known. */
export function textOf(value: Known): string {
  if (isNumeric(value) && value.near) unsure('the digits of an approximate value');
  if (isDecimal(value)) return decimalText(value);
  if (isDouble(value)) return digitsOf(value.value);
  if (isMoment(value)) return momentText(value);
  if (isCoded(value) || isEnumValue(value)) return value.text;
  if (isArrayValue(value) || isJsonValue(value)) throw new Error(`the text of ${value.kind}`);
  return isClock(value) ? clockText(value) : String(value);
}

/** The digits of a double, without an exponent. */
function digitsOf(value: number): string {
  const exact = parseDecimal(String(value));
  return exact.scale > SCALE_MAX ? unsure('digits that are rounded') : decimalText(exact);
}

/** The text that is equal exactly for values of the same group. */
export function identityOf(value: Value): string {
  if (value === null) return 'null';
  if (isMoment(value)) return `moment ${value.us}`;
  if (isJsonValue(value)) return jsonOfData(value.data);
  if (isArrayValue(value)) return `[${value.items.map(identityOf).join(', ')}]`;
  if (isDouble(value)) return `number ${String(value.value)}`;
  return isEnumValue(value) ? identityOf(value.text) : `${typeof value} ${textOf(value)}`;
}
