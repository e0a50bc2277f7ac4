/** White space, line breaks and comments: what stands between tokens without a meaning. */
import { isBlank } from './characters.js';
import { syntaxError } from './source.js';

const SLASH = 47;
const ASTERISK = 42;

/**
 * The offset of the first unit at or behind `offset` that is neither blank nor in a comment.
 *
 * @throws EngineError `query-syntax` when a comment stays open
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
