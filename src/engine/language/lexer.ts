/**
 * Reads tokens one at a time and without state: each token starts where the previous one ends. Plain
 * loops over UTF-16 units take time linear in the length of the text.
 */
import { isDigit, isNamePart, isNameStart } from './characters.js';
import { readNumber } from './read-number.js';
import { readSymbol } from './read-symbol.js';
import { readText } from './read-text.js';
import { skipBlanks } from './skip-blanks.js';
import type { Token, TokenKind } from './tokens.js';

const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const DOT = 46;
const GRAVE = 96;

/**
 * The first token at or after `offset`, with the kind `end` at the end of the text.
 *
 * @throws EngineError `query-syntax` if there is no valid token
 */
export function readToken(text: string, offset: number): Token {
  const start = skipBlanks(text, offset);
  if (start >= text.length) return { kind: 'end', start, end: start, value: '' };
  const code = text.charCodeAt(start);
  if (isNameStart(code)) return readName(text, start);
  if (isDigit(code)) return readNumber(text, start);
  if (code === DOT && isDigit(text.charCodeAt(start + 1))) return readNumber(text, start);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE || code === GRAVE)
    return readText(text, start);
  return readSymbol(text, start);
}

/** The offset after the name that starts at `start`. */
export function endOfName(text: string, start: number): number {
  let end = start + 1;
  while (isNamePart(text.charCodeAt(end))) end++;
  return end;
}

function readName(text: string, start: number): Token {
  const end = endOfName(text, start);
  const value = text.slice(start, end);
  return { kind: nameKind(value), start, end, value };
}

function nameKind(word: string): TokenKind {
  return word === 'true' || word === 'false' || word === 'null' ? word : 'name';
}
