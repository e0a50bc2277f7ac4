/** Binds operators: checks the types of their operands, and determines the types of their results. */
import { assertNever, EngineError, type Span } from '../errors.js';
import type {
  BinaryExpression,
  BinaryOperator,
  ConditionalExpression,
  UnaryExpression,
} from '../language/ast.js';
import { missingDay } from '../values/date-text.js';
import { scalarText } from '../values/scalar-text.js';
import { isArray } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import { checkEnumValues } from './enum-values.js';
import { widestNumber } from './functions/parameters.js';
import { dateFunction, powerFunctions } from './functions/table.js';
import { asScalar, operandsOf } from './json-path.js';
import type { Bound, BoundBinary } from './logical.js';
import { chosenParameters, choicesOf, narrowBound, nullWhenOfNulls } from './narrow-bound.js';
import { joinSlots, markSlot, narrowSlot, slotType } from './parameters.js';
import {
  areComparable,
  commonType,
  integerHint,
  isNumeric,
  isOpaque,
  isTemporal,
  mismatch,
  nameOfText,
  nameType,
} from './types.js';

/** The type of a bound expression; undefined for null, and for parameters of unknown type. */
export function typeOf(bound: Bound): PropertyType | undefined {
  switch (bound.kind) {
    case 'null':
      return undefined;
    case 'parameter':
      return slotType(bound.slot);
    default:
      // A parameter among dates becomes a dateTime if it is used as one later.
      return bound.type === 'any' || bound.type === 'date'
        ? typeOfChoices(choicesOf(bound), bound.type)
        : bound.type;
  }
}

/** The type of a choice among parameters, as far as it is known. */
function typeOfChoices(choices: readonly Bound[], known: PropertyType): PropertyType {
  return choices.reduce<PropertyType>(
    (type, each) => commonType(type, typeOf(each) ?? 'any') ?? type,
    known,
  );
}

/** The type as which a value is used: a property of type `any`, or a choice among such, is read as a string. */
export function operandType(bound: Bound): PropertyType | undefined {
  const type = typeOf(bound);
  return type === 'any' && isOfTexts(bound) ? 'string' : type;
}

function isOfTexts(bound: Bound): boolean {
  return bound.kind === 'column' ? !bound.isUntyped : choicesOf(bound).some(isOfTexts);
}

/** Checks that `bound` can be used as `type`, which a parameter then takes. Throws `type-mismatch`. */
export function requireType(bound: Bound, type: PropertyType, purpose: string): void {
  if (bound.kind === 'parameter') return narrowSlot(bound.slot, type, bound.span);
  const found = operandType(bound);
  // A column whose type is not known is no condition.
  const isString = type === 'boolean' && bound.kind === 'column' && bound.type === 'any';
  if (found === undefined || (found === 'any' && !isString))
    return narrowBound(bound, type, 'taken');
  const fits = type === 'decimal' ? isNumeric(found) : found === type;
  if (fits) return;
  const message = `${purpose} takes ${nameType(type)}, not ${nameType(found)}.`;
  throw mismatch(message, bound.span, hintForType(type, found));
}

/** JavaScript takes any value for a condition, and `&` is `and` elsewhere. */
function hintForType(type: PropertyType, found: PropertyType): string | undefined {
  if (type === 'boolean') return "Write a comparison: 'p.name!=null' is true if there is a value.";
  return type === 'integer' && found === 'boolean'
    ? "Combine conditions with '&&' and '||'."
    : integerHint(type, found);
}

export function bindUnary({ operator, span }: UnaryExpression, given: Bound): Bound {
  const operand = asScalar(given, operator === '!' ? 'boolean' : 'decimal');
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

export function bindBinary(expression: BinaryExpression, one: Bound, other: Bound): Bound {
  const { operator, span, operatorSpan } = expression;
  const types = [operandType(one), operandType(other)] as const;
  const { left, right } = operandsOf(operator, [one, other], types);
  if (operator === '**' || operator === '//') {
    const type = arithmeticType(operator, left, right);
    const signature = powerFunctions[operator];
    return { kind: 'call', signature, arguments: [left, right], type, span };
  }
  const build = (type: PropertyType): BoundBinary => {
    return { kind: 'binary', operator, left, right, type, span };
  };
  switch (operator) {
    case '==':
    case '!=':
      markNullSensitive(left, right);
      markNullSensitive(right, left);
      return bindComparison(build('boolean'), operatorSpan);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bindComparison(build('boolean'), operatorSpan);
    case '&&':
    case '||':
      requireType(left, 'boolean', `'${operator}'`);
      requireType(right, 'boolean', `'${operator}'`);
      return build('boolean');
    case '??':
      // Databases would treat two nulls as strings.
      if (left.kind === 'null') return right;
      return { ...build('any'), ...agree(left, right, operatorSpan) };
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
      return build(arithmeticType(operator, left, right));
    default:
      return assertNever(operator);
  }
}

export function bindConditional(
  { span }: ConditionalExpression,
  given: Bound,
  consequent: Bound,
  alternate: Bound,
): Bound {
  const test = asScalar(given, 'boolean');
  requireType(test, 'boolean', 'A condition');
  const { left, right, type } = agree(consequent, alternate, span);
  const branches = { consequent: left, alternate: right };
  return nullWhenOfNulls({ kind: 'conditional', test, ...branches, type, span });
}

/** `x == null` and `x == r` with a null r mean IS NULL, so the plan depends on whether r is null. */
function markNullSensitive(side: Bound, other: Bound): void {
  if (side.kind !== 'parameter') return;
  if (other.kind !== 'null') side.slot.nullSensitive = true;
}

function bindComparison(comparison: BoundBinary, operatorSpan: Span): Bound {
  const { left, right } = comparison;
  infer(left, right, operatorSpan);
  noteCompared([left, right]);
  checkEnumValues([left, right]);
  const leftType = typeOf(left);
  const rightType = typeOf(right);
  const operands = { left: asInstant(left, rightType), right: asInstant(right, leftType) };
  const [first, second] = [operandType(operands.left), operandType(operands.right)];
  const isNull = left.kind === 'null' || right.kind === 'null';
  const opaque = [first, second].find(isOpaque);
  if (!isNull && opaque) {
    throw mismatch(`${nameType(opaque)} can only be compared with null.`, operatorSpan);
  }
  if (first && second && !areComparable(first, second)) {
    throw mismatch(`Cannot compare ${nameType(first)} with ${nameType(second)}.`, operatorSpan);
  }
  return { ...comparison, ...operands };
}

/** Throws `type-mismatch` for values whose equality databases do not define; `refused` begins the message. */
export function rejectOpaque(values: readonly Bound[], refused: string): void {
  for (const value of values) {
    const type = typeOf(value);
    if (!type || !isOpaque(type)) continue;
    const what = isArray(type) ? 'arrays' : `${nameType(type)} values`;
    throw mismatch(`${refused} ${what}.`, value.span);
  }
}

/** Records that parameters, or choices among them, are compared with each other, or with parts of JSON. */
export function noteCompared(values: readonly Bound[]): void {
  // The type of a choice may be known, as that of `p.a ?? x` is: then its parameters have that type.
  const open = values
    .filter(isOpen)
    .map(chosenParameters)
    .filter(({ length }) => length > 0);
  if (open.length > 1) for (const { slot } of open.flat()) markSlot(slot, 'isCompared');
  if (!values.some(({ kind }) => kind === 'jsonPath')) return;
  for (const { slot } of values.flatMap(chosenParameters)) slot.isOfJson = true;
}

/** Records that rows, or values of rows, are ordered by a value that may be a choice among parameters. */
export function noteOrdered(value: Bound): void {
  const parameters = chosenParameters(value);
  if (parameters.length < 2) return;
  for (const { slot } of parameters) {
    markSlot(slot, 'isCompared');
    markSlot(slot, 'isOrdered');
  }
}

/**
 * Reads a string literal as the type of the other operand, if values of that type are written as
 * strings. Throws `type-mismatch`.
 */
export function asInstant(bound: Bound, other: PropertyType | undefined): Bound {
  if (bound.kind !== 'literal' || bound.type !== 'string') return bound;
  const wanted = other && nameOfText(other);
  if (other === undefined || wanted === undefined) return bound;
  const text = scalarText(other, bound.text);
  if (text !== undefined) return { ...bound, text, type: other };
  const day = isTemporal(other) ? missingDay(bound.text) : undefined;
  const why = day ? `: ${day} does not exist` : '';
  throw mismatch(`'${bound.text}' is not ${wanted}${why}.`, bound.span);
}

/** The value, or its date where an instant is stored as a date, or read as one. MySQL would round it to the nearest day. */
export function asStored(value: Bound, type: PropertyType): Bound {
  if (type !== 'date' || typeOf(value) !== 'dateTime') return value;
  return { kind: 'call', signature: dateFunction, arguments: [value], type, span: value.span };
}

/** Gives a parameter the type of the other operand. */
export function infer(left: Bound, right: Bound, span: Span): void {
  if (left.kind === 'parameter' && right.kind === 'parameter') {
    joinSlots(left.slot, right.slot, span);
    return;
  }
  const [leftType, rightType] = [typeOf(left), typeOf(right)];
  if (rightType && isOpen(left)) narrowBound(left, rightType, isTextual(right) ? 'text' : 'met');
  if (leftType && isOpen(right)) narrowBound(right, leftType, isTextual(left) ? 'text' : 'met');
  joinOpen([left, right]);
}

/** Gives the parameters of choices whose type is not known yet one type. */
export function joinOpen(values: readonly Bound[]): void {
  const [first, ...others] = values
    .flatMap(chosenParameters)
    .filter(({ slot }) => (slotType(slot) ?? 'any') === 'any');
  for (const { slot, span } of others) if (first) joinSlots(first.slot, slot, span);
}

/** Whether it has the type `any`, but is used as a string. */
function isTextual(bound: Bound): boolean {
  return typeOf(bound) === 'any' && operandType(bound) === 'string';
}

/** Whether the type has not been inferred yet. */
function isOpen(bound: Bound): boolean {
  return bound.kind === 'parameter' || operandType(bound) === 'any';
}

/** The two branches of a choice, converted to one type. Throws `type-mismatch`. */
function agree(one: Bound, other: Bound, span: Span) {
  infer(one, other, span);
  const left = asInstant(one, typeOf(other));
  const right = asInstant(other, typeOf(one));
  const [leftType, rightType] = [operandType(left) ?? 'any', operandType(right) ?? 'any'];
  const type = commonType(typeOf(left) ?? 'any', typeOf(right) ?? 'any');
  if (type && commonType(leftType, rightType)) return { left, right, type };
  throw mismatch(`${nameType(leftType)} and ${nameType(rightType)} have no type in common.`, span);
}

/** Binds `+`, which concatenates if an operand is a string, and adds otherwise. */
function bindPlus({ span, operatorSpan }: BinaryExpression, left: Bound, right: Bound): Bound {
  const types = [operandType(left), operandType(right)];
  const array = types.find((type) => type && isArray(type));
  if (types.includes('string') && !array) {
    return { kind: 'binary', operator: 'join', left, right, type: 'string', span };
  }
  for (const type of array ? [array] : types) {
    if (type !== undefined && type !== 'any' && !isNumeric(type)) {
      const message = `'+' adds numbers or concatenates strings, but this is ${nameType(type)}.`;
      throw mismatch(message, operatorSpan);
    }
  }
  const type = arithmeticType('+', left, right);
  return { kind: 'binary', operator: '+', left, right, type, span };
}

/**
 * The type of an arithmetic result. A parameter counts as a decimal, so that 1.5 can be added to an
 * integer.
 */
function arithmeticType(operator: BinaryOperator, left: Bound, right: Bound): PropertyType {
  requireType(left, 'decimal', `'${operator}'`);
  requireType(right, 'decimal', `'${operator}'`);
  const type = widestNumber([left, right].map((each) => typeOf(each) ?? 'decimal'));
  if (type !== 'integer') return type;
  if (['/', '**', '//'].includes(operator)) return 'decimal';
  requireWhole([left, right]);
  return type;
}

const wholeMax = 2n ** 63n - 1n;

/** Throws `value-out-of-range` for a literal that does not fit into an integer of 64 bits. */
export function requireWhole(operands: readonly Bound[]): void {
  for (const operand of operands) {
    if (operand.kind !== 'literal' || operand.type !== 'integer') continue;
    const value = BigInt(operand.text);
    if (value <= wholeMax && value >= -wholeMax - 1n) continue;
    const message = `Integers have 64 bits, but ${operand.text} needs more.`;
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
