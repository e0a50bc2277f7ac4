/** Skips white space, line breaks and comments. */
import { isBlank } from './characters.js';
import { syntaxError } from './source.js';

const SLASH = 47;
const ASTERISK = 42;

/**
 * The offset of the first unit at or after `offset` that is neither blank nor in a comment.
 *
 * @throws EngineError `query-syntax` if a comment is not closed
 */
export function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) at++;
    else if (code === SLASH && text.charCodeAt(at + 1) === ASTERISK) at = skipComment(text, at);
    else break;
  }
  return at;
}

function skipComment(text: string, start: number): number {
  const close = text.indexOf('*/', start + 2);
  if (close >= 0) return close + 2;
  const span = { start, end: text.length };
  throw syntaxError("Expected '*/' but found the end of the text.", { text, span });
}
