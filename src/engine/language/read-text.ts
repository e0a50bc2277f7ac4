/** Reads string literals: `"…"`, `'…'` and templates without `${}`. */
import type { EngineError, Span } from '../errors.js';
import { syntaxError, type SyntaxFault } from './source.js';
import { type Escape, readEscape, readPatternEscape } from './read-escape.js';
import type { Token } from './tokens.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const DOLLAR = 36;
const BACKSLASH = 92;
const GRAVE = 96;
const OPENING_BRACE = 123;

/**
 * The text whose quote is at `start`; the token's value has resolved escapes. A template may
 * contain line breaks, of which \r\n and \r become \n.
 *
 * @throws EngineError `query-syntax` if it is not closed or contains `${`, a malformed escape, or
 * what databases cannot store: U+0000 and halves of surrogate pairs
 */
export function readText(text: string, start: number): Token {
  return readTextBy(readEscape, text, start);
}

/** Reads the text whose quote is at `start` as a regular expression, which keeps its own escapes. */
export function readPattern(text: string, start: number): Token {
  return readTextBy(readPatternEscape, text, start);
}

function readTextBy(
  readOne: (text: string, start: number) => Escape,
  text: string,
  start: number,
): Token {
  const quote = text.charCodeAt(start);
  let value = '';
  let copied = start + 1;
  let at = copied;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote) break;
    if (code === BACKSLASH) {
      const escape = readOne(text, at);
      value += text.slice(copied, at) + escape.value;
      at = copied = escape.end;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      if (quote !== GRAVE) throw unclosed(text, { start, end: at });
      value += `${text.slice(copied, at)}\n`;
      at = copied = text.startsWith('\r\n', at) ? at + 2 : at + 1;
    } else {
      if (at >= text.length) throw unclosed(text, { start, end: text.length });
      if (code === DOLLAR && quote === GRAVE) rejectSubstitution(text, at);
      at++;
    }
  }
  const end = at + 1;
  value += text.slice(copied, at);
  rejectUnstorable(value, { text, span: { start, end } });
  return { kind: 'text', start, end, value };
}

function unclosed(text: string, span: Span): EngineError {
  const quote = text.charAt(span.start);
  const found = span.end < text.length ? 'the end of the line' : 'the end of the text';
  return syntaxError(`Expected the closing ${quote} of this string but found ${found}.`, {
    text,
    span,
  });
}

function rejectSubstitution(text: string, start: number): void {
  if (text.charCodeAt(start + 1) !== OPENING_BRACE) return;
  throw syntaxError("A template string cannot contain '${'.", {
    text,
    span: { start, end: start + 2 },
    hint: "Concatenate strings with '+', or write '\\${' for the characters themselves.",
  });
}

/** With the flag u, halves of surrogate pairs match only if they are alone. */
const unstorable = /[\0\u{d800}-\u{dfff}]/u;

function rejectUnstorable(value: string, place: SyntaxFault): void {
  const found = unstorable.exec(value);
  if (found === null) return;
  throw syntaxError(
    found[0] === '\0'
      ? 'A string cannot contain the character U+0000, which databases do not store.'
      : 'A string cannot contain half of a surrogate pair, which is not a character.',
    place,
  );
}
