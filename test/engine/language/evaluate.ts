/** Evaluates the syntax tree of an expression over literals as JavaScript would. */
import type { BinaryOperator, Expression } from '../../../src/engine/language/ast.js';

type Value = number | string | boolean | null;

export function evaluate(expression: Expression): Value {
  switch (expression.kind) {
    case 'number':
      return Number(expression.text);
    case 'text':
    case 'boolean':
      return expression.value;
    case 'null':
      return null;
    case 'unary': {
      const operand = evaluate(expression.operand);
      if (expression.operator === '!') return !operand;
      return expression.operator === '-' ? -Number(operand) : ~Number(operand);
    }
    case 'binary':
      return evaluateBinary(expression);
    case 'conditional':
      return evaluate(evaluate(expression.test) ? expression.consequent : expression.alternate);
    default:
      throw new Error(`No value of a ${expression.kind}`);
  }
}

function evaluateBinary(expression: Extract<Expression, { kind: 'binary' }>): Value {
  const left = evaluate(expression.left);
  const right = evaluate(expression.right);
  if (expression.operator === '&&') return left && right;
  if (expression.operator === '||') return left || right;
  if (expression.operator === '??') return left ?? right;
  return arithmetic(expression.operator, { left: Number(left), right: Number(right) });
}

function arithmetic(
  operator: Exclude<BinaryOperator, '&&' | '||' | '??'>,
  { left, right }: { readonly left: number; readonly right: number },
): number | boolean {
  switch (operator) {
    case '**':
      return left ** right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '//':
      return left ** (1 / right);
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '&':
      return left & right;
    case '^':
      return left ^ right;
    case '|':
      return left | right;
  }
}
