/** String functions; letters are Unicode code points. */
import { integer, wholeNumber } from '../decimal.js';
import { isArrayValue, isDecimal, type Known, textOf } from '../value.js';
import type { KnownFunction } from './call.js';

export const textFunctions: Readonly<Record<string, KnownFunction>> = {
  capitalize: (value) => capitalized(text(value)),
  chr: (code) => letterOf(count(code)),
  concat: (...given) => given.map(textOf).join(''),
  concatenate: (...given) => given.map(textOf).join(''),
  contains: (whole, part) => text(whole).includes(text(part)),
  endsWith: (whole, part) => text(whole).endsWith(text(part)),
  ilike: (value, pattern) => patternOf(text(pattern).toLowerCase()).test(text(value).toLowerCase()),
  includes: (whole, part) => text(whole).includes(text(part)),
  indexOf: (whole, part) => integer(BigInt(placeOf(text(whole), text(part)))),
  len: lengthOf,
  length: lengthOf,
  like: (value, pattern) => patternOf(text(pattern)).test(text(value)),
  lower: (value) => text(value).toLowerCase(),
  lpad: (value, length, fill) => padding(value, length, fill) + text(value),
  ltrim: (value) => text(value).trimStart(),
  mask: (value) => `${letters(value).slice(0, 3).join('')}***${letters(value).slice(-3).join('')}`,
  replace: (whole, part, by) =>
    text(part) === '' ? text(whole) : text(whole).replaceAll(text(part), () => text(by)),
  reverse: (value) => letters(value).reverse().join(''),
  rpad: (value, length, fill) => text(value) + padding(value, length, fill),
  rtrim: (value) => text(value).trimEnd(),
  startWith: (whole, part) => text(whole).startsWith(text(part)),
  startsWith: (whole, part) => text(whole).startsWith(text(part)),
  strCount: (whole, part) =>
    text(part) === '' ? null : integer(BigInt(text(whole).split(text(part)).length - 1)),
  substr: substring,
  substring,
  title: (value) => text(value).split(' ').map(capitalized).join(' '),
  toUpper: (value) => text(value).toUpperCase(),
  upper: (value) => text(value).toUpperCase(),
  trim: (value) => text(value).trim(),
};

/** The number of letters, or of items of an array. */
function lengthOf(value: Known | undefined): Known {
  const isArray = value !== undefined && isArrayValue(value);
  return integer(BigInt((isArray ? value.items : letters(value)).length));
}

function capitalized(value: string): string {
  const [first = '', ...others] = value;
  return first.toUpperCase() + others.join('').toLowerCase();
}

/** Null if there is no such letter, or if strings cannot contain it. */
function letterOf(code: number): string | null {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code <= 0 || code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}

/** The number of letters before `part`, or −1 if it does not occur. */
function placeOf(whole: string, part: string): number {
  const place = whole.indexOf(part);
  return place === -1 ? -1 : letters(whole.slice(0, place)).length;
}

/** `%` matches any letters, `_` matches one, and a backslash before either makes it literal. */
function patternOf(pattern: string): RegExp {
  const parts = pattern.match(/\\.|[^]/gsu) ?? [];
  const source = parts.map((part) => {
    if (part === '%') return '[^]*';
    if (part === '_') return '[^]';
    return (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part).replace(
      /[.*+?^${}()|[\]\\/]/g,
      '\\$&',
    );
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}

function padding(value: Known | undefined, length: Known | undefined, fill: Known = ' '): string {
  const missing = count(length) - letters(value).length;
  const filling = letters(fill);
  if (missing <= 0 || filling.length === 0) return '';
  return Array.from({ length: missing }, (_, at) => filling[at % filling.length]).join('');
}

/** Positions count from 1; what precedes the first one is ignored. */
function substring(value?: Known, start?: Known, length?: Known): string {
  const from = Math.max(count(start), 1) - 1;
  const to = length === undefined ? Infinity : from + Math.max(count(length), 0);
  return letters(value).slice(from, to).join('');
}

function letters(value: Known | undefined): string[] {
  return [...text(value)];
}

function text(value: Known | undefined): string {
  if (typeof value !== 'string') throw new Error(`${typeof value} is not a string`);
  return value;
}

function count(value: Known | undefined): number {
  if (value === undefined || !isDecimal(value)) throw new Error('no integer');
  return wholeNumber(value);
}
