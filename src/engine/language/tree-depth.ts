/**
 * The bound on the height of a syntax tree. Chains (`a||b||c…`, `a.b.c…`) are read by loops and are
 * no nesting to their writer, yet they make trees as high as they are long, which the later phases
 * walk by recursion.
 */
import { EngineError } from '../errors.js';
import type { Expression } from './ast.js';
import { collectChildren } from './collect-children.js';
import { positionAt } from './source.js';

/**
 * The nodes that a path from the root of an expression to a leaf has at most: far more than people
 * write, far fewer than a recursion over the tree can handle. So a chain has at most that many
 * operands.
 */
export const treeDepthMax = 1_024;

/**
 * @throws EngineError `query-too-deep` when a tree of `roots` is higher than {@link treeDepthMax}
 */
export function checkTreeDepth(roots: readonly Expression[], text: string): void {
  // Level by level, since a recursion would be what this check guards others from.
  let level = roots;
  for (let depth = 1; level.length > 0; depth++) {
    const [first] = level;
    if (depth > treeDepthMax && first !== undefined) throw tooDeep(first, text);
    const next: Expression[] = [];
    for (const expression of level) collectChildren(expression, next);
    level = next;
  }
}

function tooDeep(expression: Expression, text: string): EngineError {
  const { span } = expression;
  return new EngineError(
    'query-too-deep',
    `The expression is more than ${treeDepthMax} operations deep.`,
    {
      span,
      position: positionAt(text, span.start, 1),
      hint: "A long choice among values is better written 'in(value, list)'.",
    },
  );
}
