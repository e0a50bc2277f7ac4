/** The expressions that stand directly in an expression. */
import type { Expression } from './ast.js';
import { assertNever } from '../errors.js';

/** The parts of an expression, in the order of the text; none for literals and names. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'null':
    case 'name':
      return [];
    case 'member':
      return [expression.object];
    case 'call':
      return expression.receiver === undefined
        ? expression.arguments
        : [expression.receiver, ...expression.arguments];
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.test, expression.consequent, expression.alternate];
    case 'list':
      return expression.items;
    case 'object':
      return expression.entries.map((entry) => entry.value);
    case 'lambda':
      return [expression.body];
    default:
      return assertNever(expression);
  }
}
