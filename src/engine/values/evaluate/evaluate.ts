/**
 * Evaluates an expression of the schema or of a write, with the same results as the databases:
 * comparisons with null are null, and numbers are exact.
 */
import { invariant } from '../../errors.js';
import type { BinaryOperator, Expression } from '../../language/ast.js';
import { pathOf } from '../../language/path-of.js';
import {
  addDecimals,
  Decimal,
  divideDecimals,
  multiplyDecimals,
  negateDecimal,
  readDecimal,
  remainderOf,
} from './decimal.js';
import { joinTexts } from './bounded-text.js';
import type { Capabilities } from './capabilities.js';
import { EvaluationError } from './evaluation-error.js';
import { evaluatedFunctions } from './functions.js';
import { powerOf, rootOf } from './power.js';
import { TypedText } from './typed-text.js';
import { compareValues, textOf, type Value } from './value.js';

/** The values of names. */
export interface Surroundings extends Capabilities {
  readonly valueAt: (path: readonly string[]) => Value;
}

/**
 * The value of an expression that passed `checkEvaluable`. Throws {@link EvaluationError} where a
 * database would fail.
 */
export function evaluate(expression: Expression, capabilities: Surroundings): Value {
  capabilities.budget?.begin();
  return valueOf(expression, capabilities);
}

function valueOf(expression: Expression, capabilities: Surroundings): Value {
  switch (expression.kind) {
    case 'text':
    case 'boolean':
      return expression.value;
    case 'null':
      return null;
    case 'number':
      return readDecimal(expression.text) ?? null;
    case 'name':
    case 'member': {
      const path = pathOf(expression);
      invariant(path, 'a member of a name');
      return read(capabilities.valueAt(path), capabilities);
    }
    case 'list':
      return expression.items.map((item) => valueOf(item, capabilities));
    case 'unary':
      return unary(expression.operator, valueOf(expression.operand, capabilities));
    case 'conditional':
      return valueOf(expression.test, capabilities) === true
        ? valueOf(expression.consequent, capabilities)
        : valueOf(expression.alternate, capabilities);
    case 'binary': {
      const left = valueOf(expression.left, capabilities);
      const right = () => valueOf(expression.right, capabilities);
      return counted(binary(expression.operator, left, right), capabilities);
    }
    case 'call': {
      const { name, receiver, arguments: given } = expression;
      const apply = evaluatedFunctions.get(name);
      invariant(apply, `a function ${name}`);
      const all = receiver ? [receiver, ...given] : given;
      const values = all.map((each) => valueOf(each, capabilities));
      return counted(apply(values, capabilities), capabilities);
    }
    default:
      invariant(false, `a value, not ${expression.kind}`);
  }
}

/** The value that was read, whose text is not counted. */
function read(value: Value, { budget }: Capabilities): Value {
  if (typeof value === 'string') budget?.read(value.length);
  else if (value instanceof TypedText) budget?.read(value.text.length);
  return value;
}

/** The value that was computed, whose text is counted. */
function counted(value: Value, { budget }: Capabilities): Value {
  if (typeof value === 'string') budget?.spend(value.length);
  return value;
}

function unary(operator: '!' | '-' | '~', operand: Value): Value {
  if (operator === '!') return not(operand);
  if (!(operand instanceof Decimal)) return null;
  return operator === '-' ? negateDecimal(operand) : new Decimal(~wholeOf(operand));
}

function binary(operator: BinaryOperator, left: Value, right: () => Value): Value {
  switch (operator) {
    case '&&':
      return left === false ? false : and(left, right());
    case '||':
      return left === true ? true : not(and(not(left), not(right())));
    case '??':
      return left ?? right();
    case '==':
      return isEqual(left, right());
    case '!=':
      return not(isEqual(left, right()));
    case '<':
      return ifOrdered(left, right(), (order) => order < 0);
    case '<=':
      return ifOrdered(left, right(), (order) => order <= 0);
    case '>':
      return ifOrdered(left, right(), (order) => order > 0);
    case '>=':
      return ifOrdered(left, right(), (order) => order >= 0);
    case '+':
      return plus(left, right());
    default:
      return arithmetic(operator, left, right());
  }
}

function and(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === true && right === true ? true : null;
}

function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : null;
}

/** Null equals null and nothing else, as in the query language. */
function isEqual(left: Value, right: Value): Value {
  if (left === null || right === null) return left === right;
  return compareValues(left, right) === 0;
}

function ifOrdered(left: Value, right: Value, test: (order: number) => boolean): Value {
  const order = compareValues(left, right);
  return order === undefined ? null : test(order);
}

function plus(left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (left instanceof Decimal && right instanceof Decimal) return addDecimals(left, right);
  return joinTexts([textOf(left) ?? '', textOf(right) ?? '']);
}

type Arithmetic = Exclude<
  BinaryOperator,
  '&&' | '||' | '??' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+'
>;

function arithmetic(operator: Arithmetic, left: Value, right: Value): Value {
  if (!(left instanceof Decimal) || !(right instanceof Decimal)) return null;
  switch (operator) {
    case '-':
      return addDecimals(left, negateDecimal(right));
    case '*':
      return multiplyDecimals(left, right);
    case '/':
      return divideDecimals(left, right) ?? null;
    case '%':
      return remainderOf(left, right) ?? null;
    case '**':
      return powerOf(left, right.toNumber());
    case '//':
      return rootOf(left, right.toNumber());
    default:
      return bits(operator, wholeOf(left), wholeOf(right));
  }
}

function bits(operator: '&' | '|' | '^' | '<<' | '>>', left: bigint, right: bigint): Value {
  switch (operator) {
    case '&':
      return new Decimal(left & right);
    case '|':
      return new Decimal(left | right);
    case '^':
      return new Decimal(left ^ right);
    case '<<':
      return isShift(right) ? new Decimal(BigInt.asIntN(64, left << right)) : null;
    case '>>':
      return isShift(right) ? new Decimal(left >> right) : null;
  }
}

function isShift(count: bigint): boolean {
  return count >= 0n && count < 64n;
}

/** Throws {@link EvaluationError} for an integer of more than 64 bits. */
function wholeOf({ digits, scale }: Decimal): bigint {
  const whole = digits / 10n ** BigInt(scale);
  if (BigInt.asIntN(64, whole) === whole) return whole;
  throw new EvaluationError('value-out-of-range', 'An integer has more than 64 bits.');
}
