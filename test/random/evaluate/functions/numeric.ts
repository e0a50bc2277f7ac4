/** Numeric functions: those of analysis as approximate doubles, the others exactly. */
import {
  add,
  decimal,
  type Decimal,
  integer,
  multiply,
  negate,
  parseDecimal,
  type Rounding,
  toDigits,
  wholeNumber,
} from '../decimal.js';
import { numeric, power, withoutType } from '../operators.js';
import { unsure } from '../unsure.js';
import { double, doubleOf, isDecimal, type Known, type Numeric, type Value } from '../value.js';
import type { KnownFunction } from './call.js';

/** The number of digits of a double that every database reads alike. */
const DIGITS_OF_DOUBLE = 15;

export const numericFunctions: Readonly<Record<string, KnownFunction>> = {
  abs: (x) => (doubleOf(number(x)) < 0 ? opposite(number(x)) : number(x)),
  acos: analysis(Math.acos),
  asin: analysis(Math.asin),
  atan: analysis(Math.atan),
  atan2: analysis(Math.atan2),
  ceil: rounding('ceil'),
  cos: analysis(Math.cos),
  cosh: analysis(Math.cosh),
  exp: analysis(Math.exp),
  floor: rounding('floor'),
  ln: logarithm(),
  log: logarithm(),
  log10: (x) => (positive(x) ? double(Math.log10(doubleOf(number(x))), true) : null),
  power: (x, exponent) => power(number(x), number(exponent)),
  remainder: (x, y) => ieeeRemainder(number(x), number(y)),
  round: rounding('round'),
  sign: (x) => integer(BigInt(Math.sign(doubleOf(number(x))))),
  sin: analysis(Math.sin),
  sinh: analysis(Math.sinh),
  sqrt: analysis(Math.sqrt),
  tan: analysis(Math.tan),
  tanh: analysis(Math.tanh),
  trunc: rounding('trunc'),
};

function number(value: Known | undefined): Numeric {
  return numeric(value ?? '');
}

function analysis(compute: (...given: number[]) => number): KnownFunction {
  return (...given) => {
    const value = compute(...given.map((each) => doubleOf(number(each))));
    if (value === Infinity || value === -Infinity) unsure('a number beyond the range of a double');
    return double(value, true);
  };
}

/** `log(x)` and `log(base, x)`; null unless both are positive and the base is not 1. */
function logarithm(): KnownFunction {
  return (first, second) => {
    const [base, x] = second === undefined ? [undefined, first] : [first, second];
    if (!positive(x) || (base !== undefined && !positive(base))) return null;
    const divisor = base === undefined ? 1 : Math.log(doubleOf(number(base)));
    if (divisor === 0) return null;
    if (Math.abs(divisor) < 1e-9) unsure('a base close to 1');
    return double(Math.log(doubleOf(number(x))) / divisor, true);
  };
}

function positive(x: Known | undefined): boolean {
  const value = number(x);
  if (value.near && Math.abs(doubleOf(value)) < 1e-9) unsure('the sign of a value close to 0');
  return doubleOf(value) > 0;
}

function opposite(value: Numeric): Numeric {
  return isDecimal(value) ? negate(value) : { ...value, value: -value.value };
}

/** An integer if there are no digits, otherwise a value of the type of x. */
function rounding(how: Rounding): KnownFunction {
  return (x, digits) => {
    const value = number(x);
    const exact = exactOf(value);
    const count = digits === undefined ? 0 : wholeDigits(digits);
    const rounded = toDigits(exact, how, count);
    if (exact.near) checkSteady(exact, how, count, rounded);
    if (digits === undefined) return integer(toDigits(rounded, 'trunc').units);
    return isDecimal(value) ? rounded : double(Number(doubleOf(rounded)), true);
  };
}

function wholeDigits(digits: Known): number {
  const value = number(digits);
  return isDecimal(value) ? wholeNumber(value) : unsure('a number of digits that is a double');
}

/** Gives up if a small change of the number would change the rounded value by a whole step. */
function checkSteady(value: Decimal, how: Rounding, digits: number, rounded: Decimal): void {
  const size = Math.abs(doubleOf(value));
  const step = parseDecimal(String(1e-9 * Math.max(size, 1e-9)));
  for (const near of [add(withoutType(value), step), add(withoutType(value), negate(step))]) {
    const other = toDigits(near, how, digits);
    if (doubleOf(other) !== doubleOf(rounded)) unsure('a rounding of an approximate value');
  }
}

/** The shortest decimal digits of a double. */
function exactOf(value: Numeric): Decimal {
  if (isDecimal(value)) return value;
  const exact = withoutType(parseDecimal(String(value.value)));
  const digits = exact.units.toString().replace('-', '').length;
  return { ...exact, near: exact.near || value.near || digits > DIGITS_OF_DOUBLE };
}

/** x − y·n, where n is x/y rounded to the nearest integer, halves to the even one (IEEE 754). */
function ieeeRemainder(x: Numeric, y: Numeric): Value {
  if (doubleOf(y) === 0) return y.near ? unsure('a division by a value close to zero') : null;
  if (x.near || y.near || !isDecimal(x) || !isDecimal(y)) return unsure('a remainder of doubles');
  const scale = Math.max(x.scale, y.scale);
  const [a, b] = [x, y].map((each) => each.units * 10n ** BigInt(scale - each.scale)) as [
    bigint,
    bigint,
  ];
  const quotient = halfEven(a, b);
  const product = multiply(withoutType(y), decimal(quotient));
  const rest = add(withoutType(x), negate(product));
  return x.isInteger && y.isInteger ? integer(rest.units) : rest;
}

function halfEven(a: bigint, b: bigint): bigint {
  const cut = a / b;
  const rest = a - cut * b;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const size = b < 0n ? -b : b;
  const away = a < 0n === b < 0n ? 1n : -1n;
  if (twice > size || (twice === size && cut % 2n !== 0n)) return cut + away;
  return cut;
}
