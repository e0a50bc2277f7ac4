/**
 * The functions that Rowgate evaluates itself, for conditions and defaults. Characters are Unicode
 * code points, as in the databases.
 */
import {
  countCharacters,
  isLonger,
  mapCharacters,
  reverseCharacters,
  sliceCharacters,
} from '../characters.js';
import { dateText, dateTimeText, timeText, yearOf } from '../date-text.js';
import { joinTexts, replaceText, requireBoundedText } from './bounded-text.js';
import type { Capabilities } from './capabilities.js';
import {
  addDecimals,
  Decimal,
  decimalOfNumber,
  halfAway,
  negateDecimal,
  roundDecimal,
} from './decimal.js';
import { EvaluationError } from './evaluation-error.js';
import { isLike } from './like.js';
import { powerOf } from './power.js';
import { type TextType, TypedText } from './typed-text.js';
import { compareValues, textOf, type Value } from './value.js';

export type EvaluatedFunction = (given: readonly Value[], capabilities: Capabilities) => Value;

/** By all their names. */
export const evaluatedFunctions: ReadonlyMap<string, EvaluatedFunction> = new Map(
  Object.entries({
    ...nullFunctions(),
    ...comparisonFunctions(),
    ...numericFunctions(),
    ...stringFunctions(),
    ...momentFunctions(),
    ...cipherFunctions(),
  }),
);

type Table = Record<string, EvaluatedFunction>;

function nullFunctions(): Table {
  const nvl: EvaluatedFunction = (given) => given.find((value) => value !== null) ?? null;
  return {
    isNull: ([value = null]) => value === null,
    isNotNull: ([value = null]) => value !== null,
    isEmpty: ([value = null]) => value === null || value === '',
    isNotEmpty: ([value = null]) => value !== null && value !== '',
    nvl,
    coalesce: nvl,
    nvl2: ([value = null, one = null, other = null]) => (value === null ? other : one),
  };
}

function comparisonFunctions(): Table {
  const isPart = ofTexts((text, part) => text.includes(part));
  const contains: EvaluatedFunction = ([whole = null, part = null], capabilities) =>
    Array.isArray(whole) ? isAmong([part, whole]) : isPart([whole, part], capabilities);
  const includes: EvaluatedFunction = (given, capabilities) =>
    Array.isArray(given[1]) ? isAmong(given) : contains(given, capabilities);
  const startsWith = ofTexts((text, start) => text.startsWith(start));
  return {
    between: ([value = null, low = null, high = null]) => {
      const [above, below] = [compareValues(value, low), compareValues(value, high)];
      if ((above !== undefined && above < 0) || (below !== undefined && below > 0)) return false;
      return above === undefined || below === undefined ? null : true;
    },
    in: isAmong,
    includes,
    contains,
    like: ofTexts(isLike),
    ilike: ofTexts((text, pattern) => isLike(lower(text), lower(pattern))),
    startsWith,
    startWith: startsWith,
    endsWith: ofTexts((text, end) => text.endsWith(end)),
    test: ofTexts((text, pattern) => new RegExp(pattern, 'u').test(text)),
  };
}

function isAmong([value = null, ...rest]: readonly Value[]): Value {
  const [first = null] = rest;
  const items: readonly Value[] = Array.isArray(first) ? first : rest;
  if (items.length === 0) return false;
  if (value === null) return null;
  if (items.some((item) => compareValues(value, item) === 0)) return true;
  return items.includes(null) ? null : false;
}

function numericFunctions(): Table {
  return {
    abs: ofNumber((x) => (x.digits < 0n ? negateDecimal(x) : x)),
    sign: ofNumber((x) => new Decimal(x.digits > 0n ? 1n : x.digits < 0n ? -1n : 0n)),
    ceil: ofNumber((x) => roundDecimal(x, 0, (whole, rest) => (rest > 0n ? whole + 1n : whole))),
    floor: ofNumber((x) => roundDecimal(x, 0, (whole, rest) => (rest < 0n ? whole - 1n : whole))),
    trunc: ofNumber((x, places) => roundDecimal(x, places, (whole) => whole)),
    round: ofNumber((x, places) => roundDecimal(x, places, halfAway)),
    sqrt: ofNumber((x) => decimalOfNumber(Math.sqrt(x.toNumber()))?.asDouble(true) ?? null),
    power: ofNumber(powerOf),
  };
}

function stringFunctions(): Table {
  const join: EvaluatedFunction = (given) =>
    given.includes(null) ? null : joinTexts(given.map((value) => textOf(value) ?? ''));
  const toText: EvaluatedFunction = ([value = null]) => textOf(value);
  const length: EvaluatedFunction = ([value = null]) => {
    if (value === null) return null;
    const count = Array.isArray(value) ? value.length : countCharacters(textOf(value) ?? '');
    return new Decimal(BigInt(count));
  };
  const upper = ofText((text) => mapCharacters(text, upperOf));
  const substring: EvaluatedFunction = ([value = null, start = null, count]) => {
    const text = value instanceof TypedText ? value.toString() : value;
    if (typeof text !== 'string' || !(start instanceof Decimal)) return null;
    const from = Math.max(Number(start.toString()), 1) - 1;
    if (count === undefined) return sliceCharacters(text, Math.trunc(from), Infinity);
    if (!(count instanceof Decimal)) return null;
    const letters = Math.max(Number(count.toString()), 0);
    return sliceCharacters(text, Math.trunc(from), Math.trunc(from + letters));
  };
  return {
    concat: join,
    concatenate: join,
    length,
    len: length,
    lower: ofText(lower),
    upper,
    toUpper: upper,
    trim: ofText((text) => text.trim()),
    ltrim: ofText((text) => text.trimStart()),
    rtrim: ofText((text) => text.trimEnd()),
    reverse: ofText(reverseCharacters),
    capitalize: ofText((text) => {
      const first = sliceCharacters(text, 0, 1);
      return upperOf(first) + lower(text.slice(first.length));
    }),
    replace: ([value = null, part = null, by = null]) => {
      const text = value instanceof TypedText ? value.toString() : value;
      if (typeof text !== 'string' || typeof part !== 'string' || typeof by !== 'string')
        return null;
      return part === '' ? text : replaceText(text, part, by);
    },
    substring,
    substr: substring,
    indexOf: ofTexts((text, part) => {
      const at = text.indexOf(part);
      return new Decimal(BigInt(at === -1 ? -1 : countCharacters(text.slice(0, at))));
    }),
    toString: toText,
  };
}

function lower(text: string): string {
  return mapCharacters(text, lowerOf);
}

/** The capital of a character, as the databases have it: a character with a capital of two stays, such as ß. */
function upperOf(character: string): string {
  const upper = character.toUpperCase();
  return isLonger(upper, 1) ? character : upper;
}

/** As the databases have it: `İ` becomes an `i` without the second dot, which JavaScript keeps. */
function lowerOf(character: string): string {
  const [first = character] = character.toLowerCase();
  return first;
}

function momentFunctions(): Table {
  const part = (start: number, end: number): EvaluatedFunction =>
    ofText((text) => digitsAt(dateTimeText(text), start, end));
  /** A part of a dateTime, a date or a time. */
  const clockPart = (start: number, end: number): EvaluatedFunction =>
    ofText((text) => digitsAt(dateTimeText(text) ?? dateTimeOfTime(text), start, end));
  return {
    now: (_, { now }) => new TypedText(now, 'dateTime'),
    today: (_, { now }) => new TypedText(now.slice(0, 10), 'date'),
    curTime: (_, { now }) => new TypedText(now.slice(11, 23), 'time'),
    date: ([value = null]) => momentOf(dateText(canonicalText(value)), 'date'),
    dateTime: ([value = null]) => momentOf(dateTimeText(canonicalText(value)), 'dateTime'),
    year: ofText((text) => countedYear(dateTimeText(text))),
    month: part(5, 7),
    day: part(8, 10),
    hour: clockPart(11, 13),
    minute: clockPart(14, 16),
    second: clockPart(17, 19),
  };
}

function momentOf(text: string | undefined, type: TextType): Value {
  return text === undefined ? null : new TypedText(text, type);
}

/** A value as a text that keeps the microseconds. */
function canonicalText(value: Value): string {
  return value instanceof TypedText ? value.text : (textOf(value) ?? '');
}

function dateTimeOfTime(text: string): string | undefined {
  const time = timeText(text);
  return time === undefined ? undefined : `1970-01-01T${time}`;
}

/** As PostgreSQL counts: the year -1 comes before the year 1. */
function countedYear(text: string | undefined): Value {
  if (text === undefined) return null;
  const year = yearOf(text);
  return new Decimal(BigInt(year > 0 ? year : year - 1));
}

/** The digits at a position of a text whose year has four digits; that of others is longer. */
function digitsAt(text: string | undefined, start: number, end: number): Value {
  if (text === undefined) return null;
  const longer = text.indexOf('-', 1) - 4;
  return new Decimal(BigInt(text.slice(start + longer, end + longer)));
}

function cipherFunctions(): Table {
  const withKey =
    (
      apply: (text: string, key: string, cipher: Capabilities['cipher']) => string,
    ): EvaluatedFunction =>
    ([text = null, key = null], { cipher }) => {
      if (text === null) return null;
      if (typeof key === 'string' || key instanceof TypedText)
        return apply(canonicalText(text), canonicalText(key), cipher);
      throw new EvaluationError('schema-invalid', 'The key is not a string.');
    };
  return {
    encrypt: withKey((text, key, cipher) => {
      requireBoundedText(text.length);
      return cipher.encrypt(text, key);
    }),
    decrypt: withKey((text, key, cipher) => cipher.decrypt(text, key)),
  };
}

function ofText(apply: (text: string) => Value): EvaluatedFunction {
  return ([value = null]) => {
    const text = textOf(value);
    return text === null ? null : apply(text);
  };
}

function ofTexts(apply: (text: string, other: string) => Value): EvaluatedFunction {
  return ([value = null, second = null]) => {
    const [text, other] = [textOf(value), textOf(second)];
    return text === null || other === null ? null : apply(text, other);
  };
}

/** The second argument is a small number: decimal places or an exponent. */
function ofNumber(apply: (x: Decimal, second: number) => Value): EvaluatedFunction {
  return ([x = null, second = zero]) =>
    x instanceof Decimal && second instanceof Decimal
      ? apply(addDecimals(x, zero), Number(second.toString()))
      : null;
}

const zero = new Decimal(0n);
