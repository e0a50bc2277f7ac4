/**
 * Limits the height of a syntax tree. Chains (`a||b||c…`, `a.b.c…`) are read by loops and look flat
 * to their author, but their trees are as high as they are long, and later phases traverse trees
 * recursively.
 */
import type { EngineError } from '../errors.js';
import type { Expression } from './ast.js';
import { childrenOf } from './children.js';
import { syntaxError } from './source.js';

/**
 * The maximum number of nodes on a path from the root of an expression to a leaf: far more than
 * people write, and far fewer than a recursion over the tree can handle. So it also limits the
 * operands of a chain.
 */
export const treeDepthMax = 1_024;

/** @throws EngineError `query-too-deep` if a tree of `roots` is higher than {@link treeDepthMax} */
export function checkTreeDepth(roots: readonly Expression[], text: string): void {
  // Checks level by level, because a recursion could overflow the stack, which this check must
  // prevent.
  let level = roots;
  for (let depth = 1; level.length > 0; depth++) {
    const [first] = level;
    if (depth > treeDepthMax && first !== undefined) throw tooDeep(first, text);
    level = level.flatMap(childrenOf);
  }
}

function tooDeep({ span }: Expression, text: string): EngineError {
  const message = `The expression is more than ${treeDepthMax} operations deep.`;
  const hint = "Write 'in(value, list)' instead of many comparisons.";
  return syntaxError(message, { text, span, hint }, 'query-too-deep');
}
