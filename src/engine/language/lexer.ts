/**
 * Reads tokens one at a time and without state: each token starts where the previous one ends. No
 * regular expression goes back over what it matched, so the time is linear in the length of the text.
 */
import type { EngineError } from '../errors.js';
import { readText } from './read-text.js';
import { syntaxError } from './source.js';
import { symbols, type Token, type TokenKind } from './tokens.js';

const spellings: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...([...symbols, 'true', 'false', 'null'] as const).map((kind) => [kind, kind] as const),
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
]);

const BLANKS = /\s+/y;
const NAME = /[A-Za-z_$][A-Za-z0-9_$]*/y;
/** As in JavaScript's strict mode: `7`, `0.50`, `.5`, `5.`, `1e3`, `2.5E-7`. */
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/;
/** Brackets, separators and operators. Longer ones come first, so the first match is the longest. */
const SYMBOL = [...spellings.keys()]
  .filter((spelling) => !/\w/.test(spelling))
  .toSorted((a, b) => b.length - a.length)
  .map((spelling) => spelling.replaceAll(/./g, String.raw`\$&`))
  .join('|');
const TOKEN = new RegExp(`${NAME.source}|${NUMBER.source}|${SYMBOL}`, 'y');

/**
 * The first token at or after `offset`, with the kind `end` at the end of the text.
 *
 * @throws EngineError `query-syntax` if there is no valid token
 */
export function readToken(text: string, offset: number): Token {
  const start = skipBlanks(text, offset);
  const end = endOf(TOKEN, text, start);
  if (end === start) return readOther(text, start);
  const value = text.slice(start, end);
  const kind = spellings.get(value);
  if (kind) return { kind, start, end, value: '' };
  return /^[\d.]/.test(value) ? readNumber(text, start, end) : { kind: 'name', start, end, value };
}

/**
 * The offset of the first unit at or after `offset` that is neither blank nor in a comment.
 *
 * @throws EngineError `query-syntax` if a comment is not closed
 */
export function skipBlanks(text: string, offset: number): number {
  let at = endOf(BLANKS, text, offset);
  while (text.startsWith('/*', at)) at = endOf(BLANKS, text, endOfComment(text, at));
  return at;
}

/** The offset after the name that starts at `start`; `start` if there is none. */
export function endOfName(text: string, start: number): number {
  return endOf(NAME, text, start);
}

/** The offset after what the sticky pattern matches at `start`; `start` if it does not match. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

function endOfComment(text: string, start: number): number {
  const close = text.indexOf('*/', start + 2);
  if (close >= 0) return close + 2;
  const span = { start, end: text.length };
  throw syntaxError("Expected '*/' but found the end of the text.", { text, span });
}

function readOther(text: string, start: number): Token {
  if (start >= text.length) return { kind: 'end', start, end: start, value: '' };
  if ('"\'`'.includes(text.charAt(start))) return readText(text, start);
  throw unexpectedCharacter(text, start);
}

/** The value of a number is its text as written. JavaScript once read `010` as 8, so no reader should have to guess. */
function readNumber(text: string, start: number, end: number): Token {
  const value = text.slice(start, end);
  const fault = (message: string, from: number, to: number, hint?: string): EngineError =>
    syntaxError(message, { text, span: { start: from, end: to }, hint });
  const zeros = /^0\d+/.exec(value)?.[0].length;
  if (zeros) throw fault('A number cannot start with superfluous zeros.', start, start + zeros);
  const exponent = value.search(/[eE][+-]?$/);
  if (exponent >= 0) throw fault('Expected the digits of an exponent.', start + exponent, end);
  const nameEnd = Math.min(endOfName(text, end), end + 40);
  if (nameEnd === end) return { kind: 'number', start, end, value };
  const message = `Expected an operator but found '${text.slice(end, nameEnd)}' directly after a number.`;
  throw fault(message, end, nameEnd, DECIMAL_HINT);
}

const DECIMAL_HINT =
  'Numbers are decimal: digits, a dot, an exponent. A name needs an operator before it.';

/** For parameters as SQL and its drivers write them. */
export const PARAMETER_HINT = "Write a parameter as its name alone: 'p.id==id'.";

function unexpectedCharacter(text: string, start: number): EngineError {
  const point = text.codePointAt(start) ?? 0;
  const character = String.fromCodePoint(point);
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = showable.test(character) ? `'${character}' (${number})` : number;
  const span = { start, end: start + character.length };
  const hint = character === '@' ? PARAMETER_HINT : undefined;
  return syntaxError(`Unexpected character ${name}.`, { text, span, hint });
}

/** Characters that errors show: letters, marks, numbers, punctuation and signs, but no controls. */
const showable = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
