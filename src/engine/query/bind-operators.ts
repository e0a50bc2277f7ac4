/** Operators: what their operands must be, and the type of what they give. */
import { assertNever, EngineError, type Span } from '../errors.js';
import type {
  BinaryExpression,
  BinaryOperator,
  ConditionalExpression,
  UnaryExpression,
} from '../language/ast.js';
import { scalarText } from '../values/scalar-text.js';
import type { PropertyType } from '../schema/model.js';
import type { Bound } from './logical.js';
import { choicesOf, narrowBound, nullWhenOfNulls } from './narrow-bound.js';
import { joinSlots, markCompared, narrowSlot, slotType } from './parameters.js';
import { areComparable, commonType, isNumeric, isTemporal, nameType } from './types.js';

/** The type of a bound expression; undefined for null and for parameters not yet known. */
export function typeOf(bound: Bound): PropertyType | undefined {
  switch (bound.kind) {
    case 'null':
      return undefined;
    case 'parameter':
      return slotType(bound.slot);
    default:
      return bound.type === 'any' ? typeOfChoices(choicesOf(bound)) : bound.type;
  }
}

/** What is known by now of a choice among parameters that were of any type. */
function typeOfChoices(choices: readonly Bound[]): PropertyType {
  return choices.reduce<PropertyType>(
    (type, each) => commonType(type, typeOf(each) ?? 'any') ?? type,
    'any',
  );
}

/** Checks that `bound` can be read as `type`, and infers it for a parameter. */
export function requireType(bound: Bound, type: PropertyType, purpose: string): void {
  if (bound.kind === 'parameter') return narrowSlot(bound.slot, type, bound.span);
  const found = typeOf(bound);
  if (found === undefined || found === 'any') return narrowBound(bound, type, 'taken');
  const fits = type === 'decimal' ? isNumeric(found) : found === type;
  if (!fits)
    throw mismatch(`${purpose} takes ${nameType(type)}, not ${nameType(found)}.`, bound.span);
}

export function bindUnary({ operator, span }: UnaryExpression, operand: Bound): Bound {
  switch (operator) {
    case '!':
      requireType(operand, 'boolean', "'!'");
      return { kind: 'unary', operator, operand, type: 'boolean', span };
    case '~':
      requireType(operand, 'integer', "'~'");
      requireWhole([operand]);
      return { kind: 'unary', operator, operand, type: 'integer', span };
    case '-':
      return negate(operand, span);
    default:
      return assertNever(operator);
  }
}

export function bindBinary(expression: BinaryExpression, left: Bound, right: Bound): Bound {
  const { operator, span, operatorSpan } = expression;
  const build = (type: PropertyType): Bound => ({
    kind: 'binary',
    operator,
    left,
    right,
    type,
    span,
  });
  switch (operator) {
    case '==':
    case '!=':
      markNullSensitive(left, right);
      markNullSensitive(right, left);
      return bindComparison(expression, left, right);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bindComparison(expression, left, right);
    case '&&':
    case '||':
      requireType(left, 'boolean', `'${operator}'`);
      requireType(right, 'boolean', `'${operator}'`);
      return build('boolean');
    case '??':
      // Databases would take two nulls for a text.
      if (left.kind === 'null') return right;
      return { kind: 'binary', operator, ...agree(left, right, operatorSpan), span };
    case '+':
      return bindPlus(expression, left, right);
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      requireType(left, 'integer', `'${operator}'`);
      requireType(right, 'integer', `'${operator}'`);
      requireWhole([left, right]);
      return build('integer');
    case '-':
    case '*':
    case '%':
    case '/':
    case '**':
    case '//':
      return build(arithmeticType(operator, left, right));
    default:
      return assertNever(operator);
  }
}

export function bindConditional(
  { span }: ConditionalExpression,
  test: Bound,
  consequent: Bound,
  alternate: Bound,
): Bound {
  requireType(test, 'boolean', 'A condition');
  const { left, right, type } = agree(consequent, alternate, span);
  return nullWhenOfNulls({
    kind: 'conditional',
    test,
    consequent: left,
    alternate: right,
    type,
    span,
  });
}

/** `x == null` and `x == r` with a null r mean IS NULL: the plan must know when r is null. */
function markNullSensitive(side: Bound, other: Bound): void {
  if (side.kind !== 'parameter') return;
  if (other.kind !== 'null') side.slot.nullSensitive = true;
}

function bindComparison(expression: BinaryExpression, left: Bound, right: Bound): Bound {
  const { operator, span, operatorSpan } = expression;
  infer(left, right, operatorSpan);
  noteCompared([left, right]);
  const leftType = typeOf(left);
  const rightType = typeOf(right);
  const operands = { left: asInstant(left, rightType), right: asInstant(right, leftType) };
  const [first, second] = [typeOf(operands.left), typeOf(operands.right)];
  const isNull = left.kind === 'null' || right.kind === 'null';
  if (!isNull && (first === 'json' || second === 'json')) {
    // Databases differ in what is equal in JSON, and some compare none.
    throw mismatch('JSON is compared with null only.', operatorSpan);
  }
  if (first && second && !areComparable(first, second)) {
    throw mismatch(`Cannot compare ${nameType(first)} with ${nameType(second)}.`, operatorSpan);
  }
  return { kind: 'binary', operator, ...operands, type: 'boolean', span };
}

/** Notes of parameters that they are compared with each other. */
export function noteCompared(values: readonly Bound[]): void {
  const parameters = values.flatMap((each) => (each.kind === 'parameter' ? [each.slot] : []));
  if (parameters.length > 1) parameters.forEach(markCompared);
}

/** A text literal beside a date is that date, beside a time that time. */
export function asInstant(bound: Bound, other: PropertyType | undefined): Bound {
  if (bound.kind !== 'literal' || bound.type !== 'string') return bound;
  if (other === undefined || !(isTemporal(other) || other === 'time')) return bound;
  const text = scalarText(other, bound.text);
  if (text === undefined) {
    const what = other === 'time' ? 'time (HH:MM:SS)' : 'ISO 8601 date';
    throw mismatch(`'${bound.text}' is no ${what}.`, bound.span);
  }
  return { ...bound, text, type: other };
}

/** Parameters take the type of what they meet. */
export function infer(left: Bound, right: Bound, span: Span): void {
  if (left.kind === 'parameter' && right.kind === 'parameter') {
    joinSlots(left.slot, right.slot, span);
    return;
  }
  const [leftType, rightType] = [typeOf(left), typeOf(right)];
  if (rightType && isOpen(left)) narrowBound(left, rightType, 'met');
  if (leftType && isOpen(right)) narrowBound(right, leftType, 'met');
}

/** Whether the type is still to be inferred. */
function isOpen(bound: Bound): boolean {
  return bound.kind === 'parameter' || typeOf(bound) === 'any';
}

interface Agreed {
  readonly left: Bound;
  readonly right: Bound;
  readonly type: PropertyType;
}

/** Two values of which one is taken: they have one type, a text literal beside a date is that date. */
function agree(one: Bound, other: Bound, span: Span): Agreed {
  infer(one, other, span);
  const left = asInstant(one, typeOf(other));
  const right = asInstant(other, typeOf(one));
  const [leftType, rightType] = [typeOf(left) ?? 'any', typeOf(right) ?? 'any'];
  const type = commonType(leftType, rightType);
  if (type) return { left, right, type };
  throw mismatch(`${nameType(leftType)} and ${nameType(rightType)} have no type in common.`, span);
}

/** Joins when a side is a string; adds otherwise. */
function bindPlus({ span, operatorSpan }: BinaryExpression, left: Bound, right: Bound): Bound {
  const types = [typeOf(left), typeOf(right)];
  if (types.includes('string')) {
    return { kind: 'binary', operator: 'join', left, right, type: 'string', span };
  }
  for (const type of types) {
    if (type !== undefined && type !== 'any' && !isNumeric(type)) {
      throw mismatch(
        `'+' adds numbers or joins texts, and this is ${nameType(type)}.`,
        operatorSpan,
      );
    }
  }
  return {
    kind: 'binary',
    operator: '+',
    left,
    right,
    type: arithmeticType('+', left, right),
    span,
  };
}

/** A parameter of arithmetic is a decimal, so that 1.5 can be added to an integer. */
function arithmeticType(operator: BinaryOperator, left: Bound, right: Bound): PropertyType {
  requireType(left, 'decimal', `'${operator}'`);
  requireType(right, 'decimal', `'${operator}'`);
  const [leftType, rightType] = [typeOf(left) ?? 'decimal', typeOf(right) ?? 'decimal'];
  const isWhole = leftType === 'integer' && rightType === 'integer';
  if (isWhole && ['/', '**', '//'].includes(operator)) return 'decimal';
  if (isWhole) requireWhole([left, right]);
  if (isWhole) return 'integer';
  return leftType === 'number' || rightType === 'number' ? 'number' : 'decimal';
}

const wholeMax = 2n ** 63n - 1n;

/** Integers compute in 64 bits: throws `value-out-of-range` for one that is written with more. */
export function requireWhole(operands: readonly Bound[]): void {
  for (const operand of operands) {
    if (operand.kind !== 'literal' || operand.type !== 'integer') continue;
    const value = BigInt(operand.text);
    if (value <= wholeMax && value >= -wholeMax - 1n) continue;
    const message = `Integers compute in 64 bits, and ${operand.text} has more.`;
    throw new EngineError('value-out-of-range', message, { span: operand.span });
  }
}

function negate(operand: Bound, span: Span): Bound {
  if (operand.kind === 'literal' && isNumeric(operand.type) && !operand.text.startsWith('-')) {
    return { ...operand, text: `-${operand.text}`, span };
  }
  requireType(operand, 'decimal', "'-'");
  return { kind: 'unary', operator: '-', operand, type: typeOf(operand) ?? 'decimal', span };
}

function mismatch(message: string, span: Span): EngineError {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return new EngineError('type-mismatch', text, { span });
}
