/**
 * The text of an expression that stands alone, such as a condition of the schema, as a syntax tree.
 */
import type { Expression } from './ast.js';
import { readExpression } from './read-expression.js';
import { TokenCursor, type SyntaxLimits } from './token-cursor.js';
import { checkTreeDepth, treeDepthMax } from './tree-depth.js';

/**
 * Parses an expression, with nothing behind it.
 *
 * @throws EngineError `query-syntax` (span and position), `query-too-long`, `query-too-deep`
 */
export function parseExpression(text: string, limits: SyntaxLimits): Expression {
  const cursor = new TokenCursor(text, limits);
  const expression = readExpression(cursor);
  cursor.expect('end', 'an operator or the end of the text');
  // Every node has a token of its own, so that few tokens cannot make a high tree.
  if (cursor.consumedCount > treeDepthMax) checkTreeDepth([expression], text);
  return expression;
}
