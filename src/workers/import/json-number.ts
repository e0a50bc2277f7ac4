/** The words of a JSON text: numbers with all their digits, `true`, `false` and `null`. */
import { ExactNumber } from '../../engine/index.js';
import type { JsonScalar } from './json-events.js';
import { unexpected } from './json-fault.js';

/** Up to this many characters a float holds every digit of a number without exponent. */
const FLOAT_DIGITS = 15;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** Whether a number may begin with this byte. */
export function beginsNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === MINUS;
}

/** The end of the word that begins at `at`: of a number, or of letters. */
export function wordEnd(bytes: Uint8Array, at: number, isNumber: boolean): number {
  let end = at;
  while (end < bytes.length && (isNumber ? isNumeric(bytes[end]) : isLetter(bytes[end]))) end += 1;
  return end;
}

function isNumeric(byte = 0): boolean {
  if (byte >= ZERO && byte <= NINE) return true;
  return byte === MINUS || byte === 0x2e || byte === 0x2b || byte === 0x65 || byte === 0x45;
}

function isLetter(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

/** The value of the word between `start` and `end`; `offset` tells where it stands in the document. */
export function wordValue(bytes: Buffer, start: number, end: number, offset: number): JsonScalar {
  const isNumber = beginsNumber(bytes[start] ?? 0);
  if (isNumber) {
    const integer = shortInteger(bytes, start, end);
    if (integer !== undefined) return integer;
  }
  const text = bytes.toString('latin1', start, end);
  return isNumber ? numberValue(text, offset) : namedValue(text, offset);
}

/** An integer that a float holds, straight from its bytes; undefined: it is to be read as text. */
function shortInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start > FLOAT_DIGITS) return undefined;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  if (first === end || (bytes[first] === ZERO && end - first > 1)) return undefined;
  let value = 0;
  for (let at = first; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function numberValue(digits: string, offset: number): number | ExactNumber {
  if (!numberPattern.test(digits)) throw unexpected(offset + soundLength(digits));
  if (digits.length > FLOAT_DIGITS) return new ExactNumber(digits);
  const value = Number(digits);
  if (!/[eE]/.test(digits)) return value;
  // What underflows to 0, or overflows, keeps its digits.
  return Number.isSafeInteger(value) && value !== 0 ? value : new ExactNumber(digits);
}

/** How many characters of a wrong number may begin a right one. */
function soundLength(digits: string): number {
  const [sound = ''] =
    /^-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE](?:[+-]?\d*)?)?)?|[eE](?:[+-]?\d*)?)?)?/.exec(digits) ??
    [];
  return sound.length;
}

const named: ReadonlyMap<string, JsonScalar> = new Map<string, JsonScalar>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function namedValue(text: string, offset: number): JsonScalar {
  const value = named.get(text);
  if (value !== undefined) return value;
  const wanted = [...named.keys()].find((name) => name[0] === text[0]) ?? '';
  let same = 0;
  while (same < wanted.length && wanted[same] === text[same]) same += 1;
  throw unexpected(offset + same);
}
