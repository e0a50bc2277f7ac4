/** Parses a single expression, such as a condition of the schema. */
import type { Expression } from './ast.js';
import { readExpression } from './read-expression.js';
import { TokenCursor, type SyntaxLimits } from './token-cursor.js';
import { checkTreeDepth, treeDepthMax } from './tree-depth.js';

/**
 * Parses an expression that is the whole text.
 *
 * @throws EngineError `query-syntax` (span and position), `query-too-long`, `query-too-deep`
 */
export function parseExpression(text: string, limits: SyntaxLimits): Expression {
  const cursor = new TokenCursor(text, limits);
  const expression = readExpression(cursor);
  cursor.expect('end', 'an operator or the end of the text');
  cursor.end();
  // Every node has at least one token, so few tokens cannot make a deep tree.
  if (cursor.consumedCount > treeDepthMax) checkTreeDepth([expression], text);
  return expression;
}
