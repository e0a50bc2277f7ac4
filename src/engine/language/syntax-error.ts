/** The error of a text that is not in the language. */
import { EngineError } from '../errors.js';
import type { Span } from '../errors.js';
import { positionAt } from './source.js';

/** Where in which text the fault is, and what may help. */
export interface SyntaxFault {
  readonly text: string;
  readonly span: Span;
  readonly hint?: string | undefined;
}

/** An error `query-syntax` with its span and its position. It is returned, not thrown. */
export function syntaxError(message: string, fault: SyntaxFault): EngineError {
  const { text, span, hint } = fault;
  const position = positionAt(text, span.start, 1);
  return new EngineError('query-syntax', message, { span, position, hint });
}
