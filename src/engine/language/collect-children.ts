/** The expressions that stand directly in an expression. */
import { assertNever } from '../errors.js';
import type { Expression } from './ast.js';

/**
 * Appends the parts of an expression to `into`, in the order of the text; none for literals and
 * names. It fills an array of the caller's, since arrays of its own cost more than the parser does.
 */
export function collectChildren(expression: Expression, into: Expression[]): void {
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'null':
    case 'name':
      return;
    case 'member':
      into.push(expression.object);
      return;
    case 'call':
      if (expression.receiver !== undefined) into.push(expression.receiver);
      for (const argument of expression.arguments) into.push(argument);
      return;
    case 'unary':
      into.push(expression.operand);
      return;
    case 'binary':
      into.push(expression.left, expression.right);
      return;
    case 'conditional':
      into.push(expression.test, expression.consequent, expression.alternate);
      return;
    case 'list':
      for (const item of expression.items) into.push(item);
      return;
    case 'object':
      for (const entry of expression.entries) into.push(entry.value);
      return;
    case 'lambda':
      into.push(expression.body);
      return;
    default:
      assertNever(expression);
  }
}
