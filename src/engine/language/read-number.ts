/** Reads numbers as in JavaScript's strict mode: `7`, `0.50`, `.5`, `5.`, `1e3`, `2.5E-7`. */
import { isDigit, isNamePart, isNameStart } from './characters.js';
import type { Span } from '../errors.js';
import { syntaxError } from './source.js';
import type { Token } from './tokens.js';

const DOT = 46;
const ZERO = 48;
const PLUS = 43;
const MINUS = 45;
const UPPER_E = 69;
const LOWER_E = 101;

/**
 * The number at `start`, where there is a digit, or a dot and a digit. Its value is the text as
 * written.
 *
 * @throws EngineError `query-syntax` for leading zeros, an exponent without digits, and a name
 * directly after the number (`12px`, `0x1F`, `1_000`, `10n`)
 */
export function readNumber(text: string, start: number): Token {
  rejectLeadingZero(text, start);
  let end = skipDigits(text, start);
  if (text.charCodeAt(end) === DOT) end = skipDigits(text, end + 1);
  end = skipExponent(text, end);
  rejectName(text, { start, end });
  return { kind: 'number', start, end, value: text.slice(start, end) };
}

function skipDigits(text: string, offset: number): number {
  let at = offset;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function skipExponent(text: string, offset: number): number {
  const letter = text.charCodeAt(offset);
  if (letter !== LOWER_E && letter !== UPPER_E) return offset;
  const sign = text.charCodeAt(offset + 1);
  const digits = sign === PLUS || sign === MINUS ? offset + 2 : offset + 1;
  if (isDigit(text.charCodeAt(digits))) return skipDigits(text, digits);
  const span = { start: offset, end: digits };
  throw syntaxError('Expected the digits of an exponent.', { text, span });
}

/** JavaScript once read `010` as 8, so no reader should have to guess. */
function rejectLeadingZero(text: string, start: number): void {
  if (text.charCodeAt(start) !== ZERO || !isDigit(text.charCodeAt(start + 1))) return;
  const span = { start, end: skipDigits(text, start) };
  throw syntaxError('A number cannot start with superfluous zeros.', { text, span });
}

function rejectName(text: string, number: Span): void {
  const start = number.end;
  if (!isNameStart(text.charCodeAt(start))) return;
  let end = start;
  while (isNamePart(text.charCodeAt(end)) && end - start < 40) end++;
  const hint =
    'Numbers are decimal: digits, a dot, an exponent. A name needs an operator before it.';
  const name = text.slice(start, end);
  throw syntaxError(`Expected an operator but found '${name}' directly after a number.`, {
    text,
    span: { start, end },
    hint,
  });
}
