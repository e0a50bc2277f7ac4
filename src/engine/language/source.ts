/** Converts offsets in a text to lines and columns. */
import { EngineError, type Position, type Span } from '../errors.js';

/**
 * The line and column of an offset, both counted from `first`. Lines end as in JavaScript: at \n,
 * \r\n, \r, U+2028 and U+2029. Columns count UTF-16 units.
 */
export function positionAt(text: string, offset: number, first: 0 | 1): Position {
  let line = 0;
  let lineStart = 0;
  const end = Math.min(offset, text.length);
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    const next = index + lineBreak.length;
    if (next > end) break;
    line++;
    lineStart = next;
  }
  return { ln: line + first, col: end - lineStart + first };
}

/**
 * Adds the position (from 1) of the error's span in `text`. An error without a span, or with a
 * position, is returned unchanged.
 */
export function locate(error: EngineError, text: string): EngineError {
  if (error.span === undefined || error.position !== undefined) return error;
  const located = new EngineError(error.code, error.message, {
    span: error.span,
    position: positionAt(text, error.span.start, 1),
    hint: error.hint,
    place: error.place,
  });
  located.cause = error;
  return located;
}

/** The text and the span of an error, and a hint. */
export interface SyntaxFault {
  readonly text: string;
  readonly span: Span;
  readonly hint?: string | undefined;
}

/** Creates an error with its span and its position; does not throw it. */
export function syntaxError(
  message: string,
  { text, span, hint }: SyntaxFault,
  code: 'query-syntax' | 'query-too-deep' = 'query-syntax',
): EngineError {
  return new EngineError(code, message, { span, position: positionAt(text, span.start, 1), hint });
}
