/** Reads JavaScript's escapes in strings: `\n`, `\xHH`, `\uHHHH`, `\u{…}` and others. */
import { syntaxError } from './source.js';
import type { EngineError } from '../errors.js';

/** The value of an escape, and the offset after it. */
export interface Escape {
  readonly value: string;
  readonly end: number;
}

const CODE_POINT_MAX = 0x10ffff;

/**
 * The escape whose backslash is at `start`. A letter without a meaning stands for itself, and a
 * line break for nothing.
 *
 * @throws EngineError `query-syntax` for `\x` and `\u` without their digits, for a number beyond
 * Unicode, and for octal escapes
 */
export function readEscape(text: string, start: number): Escape {
  const letter = text.charAt(start + 1);
  if (letter === 'u') return readUnicode(text, start);
  if (letter === 'x') return readHex(text, { start, digits: 2 });
  if (/\d/.test(letter)) return readNul(text, start);
  if (text.startsWith('\r\n', start + 1)) return { value: '', end: start + 3 };
  if (/[\n\r\u2028\u2029]/.test(letter)) return { value: '', end: start + 2 };
  return { value: meanings.get(letter) ?? letter, end: start + 2 };
}

/**
 * The escape of a regular expression. Escapes that only regular expressions have keep their backslash, and so does
 * `\b`, the boundary of a word. Other escapes have the meaning of {@link readEscape}.
 */
export function readPatternEscape(text: string, start: number): Escape {
  const letter = text.charAt(start + 1);
  const end = start + 2;
  // With the flag u, `\-` is allowed only inside brackets.
  if (letter === '-') return { value: '\\x2d', end };
  const isOfPattern = letter === 'b' || (/[a-z]/i.test(letter) && !/[uxntvfr]/.test(letter));
  // \1 to \9 refer to groups.
  if (isOfPattern || /[1-9$^.*+?()[\]{}|/]/.test(letter)) return { value: `\\${letter}`, end };
  return readEscape(text, start);
}

const meanings: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
]);

function readUnicode(text: string, start: number): Escape {
  return text.charAt(start + 2) === '{'
    ? readCodePoint(text, start)
    : readHex(text, { start, digits: 4 });
}

function readHex(text: string, shape: { readonly start: number; readonly digits: 2 | 4 }): Escape {
  const { start, digits } = shape;
  const end = start + 2 + digits;
  const hex = text.slice(start + 2, end);
  if (hex.length !== digits || !isHex(hex)) {
    throw malformed(text, start, `Expected ${digits} hexadecimal digits in this escape.`);
  }
  return { value: String.fromCharCode(Number.parseInt(hex, 16)), end };
}

function readCodePoint(text: string, start: number): Escape {
  const close = text.indexOf('}', start);
  const hex = text.slice(start + 3, close);
  if (close < 0 || !isHex(hex)) {
    throw malformed(text, start, "Expected hexadecimal digits and '}' in this escape.");
  }
  const point = Number.parseInt(hex, 16);
  if (point > CODE_POINT_MAX) throw malformed(text, start, 'Unicode ends at U+10FFFF.');
  return { value: String.fromCodePoint(point), end: close + 1 };
}

function isHex(text: string): boolean {
  return /^[0-9A-Fa-f]+$/.test(text);
}

/** `\0` is U+0000. Other digits were octal once, which JavaScript's strict mode refuses. */
function readNul(text: string, start: number): Escape {
  if (/^0(?!\d)/.test(text.slice(start + 1, start + 3))) return { value: '\0', end: start + 2 };
  throw malformed(text, start, 'Octal escapes are not part of the language.');
}

function malformed(text: string, start: number, message: string): EngineError {
  return syntaxError(message, { text, span: { start, end: Math.min(start + 2, text.length) } });
}
