/** Calls of functions as SQL. */
import type { BoundCall } from '../query/logical.js';
import type { SentenceContext } from './render-expression.js';

/** The SQL of a call; it stands safely beside any operator. */
export function renderCall(_context: SentenceContext, call: BoundCall): string {
  throw new Error(`No SQL for ${call.signature.name}`);
}
