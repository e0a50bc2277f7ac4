/**
 * The functions of the language (docs/functions.md). A function of null is null; some are null for other
 * values, too, such as the root of a negative number. `in` is `isIn`, because JavaScript reserves that name.
 */
import type {
  AnyOperand,
  ArrayExpression,
  Clock,
  Comparable,
  Dated,
  Expression,
  Integer,
  JsonExpression,
  KindOf,
  NullOf,
  NumberKind,
  Numeric,
  Operand,
  Text,
  Truth,
  Wider,
} from './expressions.js';
import type { ItemKind, Kind, NumericKind } from './kinds.js';
import { callText, recorded } from './record.js';

/** A function that is null only if an argument is. */
interface Of<Name extends string, A extends readonly unknown[], K extends Kind> {
  <T extends A>(...given: T): Expression<K, NullOf<T[number]>, Name>;
}

/** A function that can be null. */
interface Perhaps<Name extends string, A extends readonly unknown[], K extends Kind> {
  (...given: A): Expression<K, null, Name>;
}

/** A function that is never null. */
interface Always<Name extends string, A extends readonly unknown[], K extends Kind> {
  (...given: A): Expression<K, never, Name>;
}

type Number = Numeric | JsonExpression;
type Any = AnyOperand;
type OneText = [text: Text];
type TextAndPart = [text: Text, part: Text];
type Padding = [text: Text, length: Integer, fill?: Text];

interface SameNumber<Name extends string> {
  <T extends Number>(x: T): Expression<NumberKind<T>, NullOf<T>, Name>;
}

interface Rounding<Name extends string> {
  <T extends Number>(x: T): Expression<'integer', NullOf<T>, Name>;
  <T extends Number, D extends Integer>(
    x: T,
    digits: D,
  ): Expression<NumberKind<T>, NullOf<T> | NullOf<D>, Name>;
}

// Comparison
/** Whether the value is from `low` to `high`. */
export const between: <V extends Any, L extends Comparable<V>, H extends Comparable<V>>(
  value: V,
  low: L,
  high: H,
) => Expression<'boolean', NullOf<V> | NullOf<L> | NullOf<H>, 'between'> = call('between');
/** `in(value, items)`: whether a list or an array contains the value. */
export const isIn: <V extends Any>(
  value: V,
  items: readonly Comparable<V>[] | ArrayExpression,
) => Expression<'boolean', null, 'in'> = call('in');
/** Whether the text contains the part, or the array the value. */
export const includes: Containing<'includes'> = call('includes');
/** The same as `includes`. */
export const contains: Containing<'contains'> = call('contains');
/** Whether the text matches the pattern, with `%` and `_`. */
export const like: Of<'like', [text: Text, pattern: Text], 'boolean'> = call('like');
/** Like `like`, but ignores case. */
export const ilike: Of<'ilike', [text: Text, pattern: Text], 'boolean'> = call('ilike');
export const startsWith: Of<'startsWith', [text: Text, start: Text], 'boolean'> =
  call('startsWith');
export const endsWith: Of<'endsWith', [text: Text, end: Text], 'boolean'> = call('endsWith');
export const isNull: Always<'isNull', [value: Any], 'boolean'> = call('isNull');
export const isNotNull: Always<'isNotNull', [value: Any], 'boolean'> = call('isNotNull');
/** Whether the value is null or an empty string. */
export const isEmpty: Always<'isEmpty', [value: Any], 'boolean'> = call('isEmpty');
export const isNotEmpty: Always<'isNotEmpty', [value: Any], 'boolean'> = call('isNotEmpty');

interface Containing<Name extends string> {
  <T extends Text, P extends Text>(
    text: T,
    part: P,
  ): Expression<'boolean', NullOf<T> | NullOf<P>, Name>;
  <Item extends ItemKind>(
    array: ArrayExpression<Item>,
    value: Operand<Item>,
  ): Expression<'boolean', null, Name>;
}

// Null
/** The first argument that is not null. */
export const nvl: FirstPresent<'nvl'> = call('nvl');
/** The same as `nvl`. */
export const coalesce: FirstPresent<'coalesce'> = call('coalesce');
/** `present` if the value is not null, otherwise `absent`. */
export const nvl2: <P extends Any, A extends Comparable<P>>(
  value: Any,
  present: P,
  absent: A,
) => Expression<KindOf<P> | KindOf<A>, NullOf<P> | NullOf<A>, 'nvl2'> = call('nvl2');

interface FirstPresent<Name extends string> {
  <V extends Expression, W extends readonly [Comparable<V>, ...Comparable<V>[]]>(
    value: V,
    ...others: W
  ): Expression<FirstKind<V, W[number]>, null extends LastNull<W> ? null : never, Name>;
}

/** Numbers of different kinds together; values of any other kind count as those of the first one. */
type FirstKind<V, W> =
  KindOf<V> extends NumericKind ? KindOf<V> | Extract<KindOf<W>, NumericKind> : KindOf<V>;

type LastNull<W extends readonly unknown[]> = {
  [I in keyof W]: [NullOf<W[I]>] extends [never] ? 'present' : null;
}[number] extends null
  ? null
  : never;

// Numbers
export const abs: SameNumber<'abs'> = call('abs');
/** Null outside −1 to 1. */
export const acos: Perhaps<'acos', [x: Number], 'number'> = call('acos');
/** Null outside −1 to 1. */
export const asin: Perhaps<'asin', [x: Number], 'number'> = call('asin');
export const atan: Of<'atan', [x: Number], 'number'> = call('atan');
/** The angle of the point (x, y), in radians. */
export const atan2: Of<'atan2', [y: Number, x: Number], 'number'> = call('atan2');
export const ceil: Of<'ceil', [x: Number], 'integer'> = call('ceil');
export const cos: Of<'cos', [x: Number], 'number'> = call('cos');
export const cosh: Of<'cosh', [x: Number], 'number'> = call('cosh');
export const exp: Of<'exp', [x: Number], 'number'> = call('exp');
export const floor: Of<'floor', [x: Number], 'integer'> = call('floor');
/** The natural logarithm; null unless x is greater than 0. */
export const ln: Perhaps<'ln', [x: Number], 'number'> = call('ln');
/** The logarithm of x to a base; with one argument, the natural logarithm. */
export const log: Perhaps<'log', [base: Number, x?: Number], 'number'> = call('log');
export const log10: Perhaps<'log10', [x: Number], 'number'> = call('log10');
export const power: Perhaps<'power', [x: Number, exponent: Number], 'decimal'> = call('power');
/** x − y·n, where n is x/y rounded to the nearest integer; null if y is 0. */
export const remainder: <X extends Number, Y extends Number>(
  x: X,
  y: Y,
) => Expression<Wider<NumberKind<X>, NumberKind<Y>>, null, 'remainder'> = call('remainder');
/** Rounded to that many decimal places, ties away from zero; an integer without `digits`. */
export const round: Rounding<'round'> = call('round');
export const sign: Of<'sign', [x: Number], 'integer'> = call('sign');
export const sin: Of<'sin', [x: Number], 'number'> = call('sin');
export const sinh: Of<'sinh', [x: Number], 'number'> = call('sinh');
/** Null for negative numbers. */
export const sqrt: Perhaps<'sqrt', [x: Number], 'number'> = call('sqrt');
export const tan: Of<'tan', [x: Number], 'number'> = call('tan');
export const tanh: Of<'tanh', [x: Number], 'number'> = call('tanh');
/** Truncated to that many decimal places; an integer without `digits`. */
export const trunc: Rounding<'trunc'> = call('trunc');

// Strings
export const capitalize: Of<'capitalize', OneText, 'string'> = call('capitalize');
/** The character with that Unicode code point. */
export const chr: Perhaps<'chr', [code: Integer], 'string'> = call('chr');
/** The arguments joined into one text. */
export const concat: Of<'concat', [value: Any, ...others: Any[]], 'string'> = call('concat');
/** The position of the part, from 0; −1 if the text does not contain it. */
export const indexOf: Of<'indexOf', TextAndPart, 'integer'> = call('indexOf');
/** The number of characters of a string, or of items of an array. */
export const length: Of<'length', [text: Text | ArrayExpression], 'integer'> = call('length');
export const lower: Of<'lower', OneText, 'string'> = call('lower');
export const lpad: Of<'lpad', Padding, 'string'> = call('lpad');
export const ltrim: Of<'ltrim', OneText, 'string'> = call('ltrim');
/** Three letters of each end, and `***` between them. */
export const mask: Of<'mask', OneText, 'string'> = call('mask');
/** Every occurrence of the part replaced. */
export const replace: Of<'replace', [text: Text, part: Text, by: Text], 'string'> = call('replace');
export const reverse: Of<'reverse', OneText, 'string'> = call('reverse');
export const rpad: Of<'rpad', Padding, 'string'> = call('rpad');
export const rtrim: Of<'rtrim', OneText, 'string'> = call('rtrim');
/** How often the text contains the part; null for an empty part. */
export const strCount: Perhaps<'strCount', TextAndPart, 'integer'> = call('strCount');
/** `length` characters from a position, counted from 1. */
export const substring: Of<'substring', [text: Text, start: Integer, length?: Integer], 'string'> =
  call('substring');
/** Each word with its first character in upper case. */
export const title: Of<'title', OneText, 'string'> = call('title');
export const upper: Of<'upper', OneText, 'string'> = call('upper');
export const trim: Of<'trim', OneText, 'string'> = call('trim');

// Dates and times, all in UTC
/** The date of the request. */
export const today: Always<'today', [], 'date'> = call('today');
/** The instant of the request. */
export const now: Always<'now', [], 'dateTime'> = call('now');
/** The time of day of the request. */
export const curTime: Always<'curTime', [], 'time'> = call('curTime');
export const date: Of<'date', [at: Dated], 'date'> = call('date');
export const time: Of<'time', [at: Clock], 'time'> = call('time');
export const dateTime: Of<'dateTime', [at: Dated], 'dateTime'> = call('dateTime');
export const year: Of<'year', [at: Dated], 'integer'> = call('year');
/** From 1. */
export const month: Of<'month', [at: Dated], 'integer'> = call('month');
/** The day of the month, from 1. */
export const day: Of<'day', [at: Dated], 'integer'> = call('day');
/** From 1 for Sunday. */
export const weekday: Of<'weekday', [at: Dated], 'integer'> = call('weekday');
export const hour: Of<'hour', [at: Clock], 'integer'> = call('hour');
export const minute: Of<'minute', [at: Clock], 'integer'> = call('minute');
export const second: Of<'second', [at: Clock], 'integer'> = call('second');
export const millisecond: Of<'millisecond', [at: Clock], 'integer'> = call('millisecond');
export const addYear: Later<'addYear'> = call('addYear');
export const addMonth: Later<'addMonth'> = call('addMonth');
export const addDay: Later<'addDay'> = call('addDay');
export const addHour: Later<'addHour'> = call('addHour');
export const addMinute: Later<'addMinute'> = call('addMinute');
export const addSecond: Later<'addSecond'> = call('addSecond');
export const addMillisecond: Later<'addMillisecond'> = call('addMillisecond');
/** The instant plus a time of day. */
export const addTime: Perhaps<'addTime', [at: Dated, time: Operand<'time'>], 'dateTime'> =
  call('addTime');
export const subtractTime: Perhaps<'subtractTime', [at: Dated, time: Operand<'time'>], 'dateTime'> =
  call('subtractTime');
/** The whole years from the second instant to the first. */
export const yearDiff: Difference<'yearDiff'> = call('yearDiff');
export const dayDiff: Difference<'dayDiff'> = call('dayDiff');
export const hourDiff: Difference<'hourDiff'> = call('hourDiff');
export const secondDiff: Difference<'secondDiff'> = call('secondDiff');
export const millisecondDiff: Difference<'millisecondDiff'> = call('millisecondDiff');
/** The instant that many days after 1970-01-01. */
export const dayToDate: Perhaps<'dayToDate', [days: Integer], 'dateTime'> = call('dayToDate');
export const hourToDate: Perhaps<'hourToDate', [hours: Integer], 'dateTime'> = call('hourToDate');
export const secondToDate: Perhaps<'secondToDate', [seconds: Integer], 'dateTime'> =
  call('secondToDate');
export const millisecondToDate: Perhaps<'millisecondToDate', [milliseconds: Integer], 'dateTime'> =
  call('millisecondToDate');
/** The instant as ISO 8601 text, to the millisecond. */
export const dateToString: Of<'dateToString', [at: Dated], 'string'> = call('dateToString');

/** Null outside the years 1 to 9999. */
type Later<Name extends string> = Perhaps<Name, [at: Dated, count: Integer], 'dateTime'>;
type Difference<Name extends string> = Of<Name, [at: Dated, from: Dated], 'integer'>;

// Conversion
export const toString: Of<'toString', [value: Any], 'string'> = call('toString');
/** The exact number; null for a string that is not a number. */
export const toNumber: Perhaps<'toNumber', [value: Any], 'decimal'> = call('toNumber');
/** The number without its fraction; null for a string that is not a number. */
export const toInteger: Perhaps<'toInteger', [value: Any], 'integer'> = call('toInteger');
export const toDecimal: Perhaps<'toDecimal', [value: Any], 'decimal'> = call('toDecimal');
/** The value as JSON text. */
export const toJson: Of<'toJson', [value: Any], 'string'> = call('toJson');

// Aggregates, of the rows of a group
/** The number of rows, or of values that are not null. */
export const count: Always<'count', [value?: Expression], 'integer'> = call('count');
export const sum: Perhaps<'sum', [value: Number], 'decimal'> = call('sum');
export const avg: Perhaps<'avg', [value: Number], 'decimal'> = call('avg');
export const min: Extreme<'min'> = call('min');
export const max: Extreme<'max'> = call('max');
/** In `count`, `sum` and `avg`: different values only. */
export const distinct: <V extends Expression>(value: V) => V = call('distinct');

interface Extreme<Name extends string> {
  <V extends Expression>(value: V): Expression<KindOf<V>, null, Name>;
}

// Sorting
/** Ascending, with nulls last. */
export const asc: (key: Expression) => Expression = call('asc');
/** Descending, with nulls first. */
export const desc: (key: Expression) => Expression = call('desc');

// Relations
/** Whether a relation to many has a row for which the condition is true. */
export const exists: <Row>(
  relation: { filter(condition: (row: Row) => Truth): unknown },
  condition?: (row: Row) => Truth,
) => Expression<'boolean', never, never> = call('exists');

/** The proxies of all functions record the same way; their types are declared above. */
function call(name: string): (...given: readonly unknown[]) => never {
  return (...given) => recorded(callText(name, given));
}
