/** Collects or replaces the direct parts of an expression. */
import { assertNever } from '../errors.js';
import type { Expression } from './ast.js';

/**
 * Appends the parts of an expression to `into`, in the order of the text; literals and names have
 * none. The caller provides the array, because creating arrays costs more than the parser itself.
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

/** The expression with each of its parts replaced by the result of `replace`. */
export function mapChildren(
  expression: Expression,
  replace: (part: Expression) => Expression,
): Expression {
  switch (expression.kind) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'null':
    case 'name':
      return expression;
    case 'member':
      return { ...expression, object: replace(expression.object) };
    case 'call': {
      const receiver = expression.receiver && replace(expression.receiver);
      return { ...expression, receiver, arguments: expression.arguments.map(replace) };
    }
    case 'unary':
      return { ...expression, operand: replace(expression.operand) };
    case 'binary': {
      const { left, right } = expression;
      return { ...expression, left: replace(left), right: replace(right) };
    }
    case 'conditional':
      return {
        ...expression,
        test: replace(expression.test),
        consequent: replace(expression.consequent),
        alternate: replace(expression.alternate),
      };
    case 'list':
      return { ...expression, items: expression.items.map(replace) };
    case 'object': {
      const entries = expression.entries.map((each) => ({ ...each, value: replace(each.value) }));
      return { ...expression, entries };
    }
    case 'lambda':
      return { ...expression, body: replace(expression.body) };
    default:
      return assertNever(expression);
  }
}
