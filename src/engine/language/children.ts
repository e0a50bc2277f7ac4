/** Lists or replaces the direct parts of an expression. */
import { assertNever } from '../errors.js';
import type { Expression } from './ast.js';

/** The parts of an expression, in the order of the text; literals and names have none. */
export function childrenOf(expression: Expression): readonly Expression[] {
  const children: Expression[] = [];
  mapChildren(expression, (part) => {
    children.push(part);
    return part;
  });
  return children;
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
