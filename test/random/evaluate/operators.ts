/** Evaluates operators on values. An undefined result, such as a quotient by zero, is null. */
import type { BinaryOperator } from '../../../src/engine/language/ast.js';
import {
  add,
  decimal,
  type Decimal,
  divide,
  integer,
  modulo,
  multiply,
  negate,
  parseDecimal,
} from './decimal.js';
import { unsure } from './unsure.js';
import {
  compareValues,
  double,
  doubleOf,
  isClose,
  isDecimal,
  isDouble,
  isNumeric,
  type Known,
  type Numeric,
  textOf,
  type Value,
} from './value.js';

export function evaluateUnary(operator: '!' | '-' | '~', value: Value): Value {
  if (value === null) return null;
  if (operator === '!') return not(value);
  if (operator === '~') return integer(~integerOf(value));
  if (isDecimal(value)) return negate(value);
  return isDouble(value) ? { ...value, value: -value.value } : noNumber(value);
}

/** Three-valued logic: false takes precedence over null. */
export function and(left: Value, right: Value): Value {
  if (left === false || right === false) return false;
  return left === null || right === null ? null : true;
}

export function not(value: Value): Value {
  return value === null ? null : value !== true;
}

export type ValueOperator = Exclude<BinaryOperator, '&&' | '||' | '??'>;

/** Evaluates an operator on two values that are not null. */
export function evaluateBinary(operator: ValueOperator, left: Known, right: Known): Value {
  switch (operator) {
    case '==':
      return compareValues(left, right) === 0;
    case '!=':
      return compareValues(left, right) !== 0;
    case '<':
      return compareValues(left, right) < 0;
    case '<=':
      return compareValues(left, right) <= 0;
    case '>':
      return compareValues(left, right) > 0;
    case '>=':
      return compareValues(left, right) >= 0;
    case '&':
      return integer(integerOf(left) & integerOf(right));
    case '|':
      return integer(integerOf(left) | integerOf(right));
    case '^':
      return integer(integerOf(left) ^ integerOf(right));
    case '<<':
    case '>>':
      return shift(operator, integerOf(left), integerOf(right));
    case '+':
      if (typeof left === 'string' || typeof right === 'string')
        return textOf(left) + textOf(right);
      return arithmetic(operator, numeric(left), numeric(right));
    default:
      return arithmetic(operator, numeric(left), numeric(right));
  }
}

function shift(operator: '<<' | '>>', value: bigint, count: bigint): Value {
  if (count < 0n || count > 63n) return null;
  return integer(operator === '>>' ? value >> count : BigInt.asIntN(64, value << count));
}

type Arithmetic = '+' | '-' | '*' | '/' | '%' | '**' | '//';

function arithmetic(operator: Arithmetic, left: Numeric, right: Numeric): Value {
  if (operator === '**') return power(left, right);
  if (operator === '//') return root(left, right);
  if (!isDecimal(left) || !isDecimal(right)) {
    const [x, y] = [doubleOf(left), doubleOf(right)];
    if (y === 0 && (operator === '/' || operator === '%')) return null;
    return double(bounded(onDoubles(operator, x, y)), left.near || right.near || operator === '%');
  }
  switch (operator) {
    case '+':
      return sum(left, right);
    case '-':
      return sum(left, negate(right));
    case '*':
      return multiply(left, right);
    case '/':
      return right.units === 0n ? zeroDivision(right) : divide(left, right);
    case '%':
      return right.units === 0n ? zeroDivision(right) : remainder(left, right);
  }
}

/** Approximate numbers that nearly cancel each other out leave no digit that is known. */
function sum(left: Decimal, right: Decimal): Decimal {
  if ((left.near || right.near) && isClose(doubleOf(left), -doubleOf(right))) {
    unsure('a difference of close approximate values');
  }
  return add(left, right);
}

/** A divisor that is only known approximately may not be zero in the database. */
function zeroDivision({ near }: Decimal): null {
  return near ? unsure('a division by a value close to zero') : null;
}

function remainder(left: Decimal, right: Decimal): Decimal {
  if (left.near || right.near) unsure('a remainder of an approximate value');
  return modulo(left, right);
}

function onDoubles(operator: '+' | '-' | '*' | '/' | '%', left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
  }
}

/**
 * A square is exact. Other powers have the digits that the database computes (docs/language.md,
 * "Types").
 */
export function power(base: Numeric, exponent: Numeric): Value {
  if (doubleOf(base) < 0 && Math.abs(doubleOf(exponent)) > Number.MAX_SAFE_INTEGER)
    unsure('whether an approximate exponent is even');
  const value = doubleOf(base) ** doubleOf(exponent);
  if (Number.isNaN(value) || (doubleOf(base) === 0 && doubleOf(exponent) < 0)) return null;
  if (!isDecimal(base) || !isDecimal(exponent)) return double(bounded(value), true);
  if (exponent.scale === 0 && exponent.units === 2n) {
    return { ...multiply(withoutType(base), withoutType(base)) };
  }
  return nearDecimal(value);
}

/** The decimal places that PostgreSQL keeps of a power that is less than 10. */
const EXACT_PLACES = 15;
const EXACT_DIGITS = 30;

/** The power with a whole exponent; undefined if it may be rounded. */
export function exactPower(base: Known, exponent: Known): Decimal | undefined {
  if (!isDecimal(base) || !isDecimal(exponent) || base.near || exponent.near) return undefined;
  const { units, scale } = exponent;
  if (scale > 0 || units < 0n || units > EXACT_DIGITS) return undefined;
  const power = base.units ** units;
  const places = base.scale * Number(units);
  const isWhole = places === 0 && power.toString().length <= EXACT_DIGITS;
  const isShort = places <= EXACT_PLACES && power.toString().length <= EXACT_PLACES;
  return isWhole || isShort ? decimal(power, places) : undefined;
}

/** The root of that degree; null outside of its domain. */
function root(value: Numeric, degree: Numeric): Value {
  const [x, n] = [doubleOf(value), doubleOf(degree)];
  const found = x ** (1 / n);
  if (n === 0 || Number.isNaN(found) || (x === 0 && n < 0)) return null;
  return isDecimal(value) && isDecimal(degree) ? nearDecimal(found) : double(bounded(found), true);
}

function bounded(value: number): number {
  if (!Number.isFinite(value)) unsure('a number beyond the range of a double');
  return value;
}

/** A decimal that is known only as a double. */
function nearDecimal(value: number): Decimal {
  return { ...withoutType(parseDecimal(String(bounded(value)))), near: true };
}

/** The value as a decimal, so that an operation on integers can have digits after the point. */
export function withoutType({ units, scale, near }: Decimal): Decimal {
  return decimal(units, scale, near);
}

export function numeric(value: Known): Numeric {
  return isNumeric(value) ? value : noNumber(value);
}

function integerOf(value: Known): bigint {
  if (!isDecimal(value) || value.scale !== 0) return noNumber(value);
  return value.units;
}

function noNumber(value: Known): never {
  throw new Error(`${typeof value} is not a number`);
}
