/**
 * Exact decimal numbers: their digits as a BigInt, and the number of decimal places. Those of type `number` are exact, too,
 * but their quotients are those of doubles.
 */
import { EvaluationError } from './evaluation-error.js';

export class Decimal {
  readonly digits: bigint;
  readonly scale: number;
  /** Whether its type is `number`. */
  readonly isDouble: boolean;

  constructor(digits: bigint, scale = 0, isDouble = false) {
    this.digits = digits;
    this.scale = scale;
    this.isDouble = isDouble;
  }

  /** The same value, of type `number` if `isDouble`. */
  asDouble(isDouble: boolean): Decimal {
    return isDouble === this.isDouble ? this : new Decimal(this.digits, this.scale, isDouble);
  }

  /** The digits without trailing zeros in the fraction. */
  toString(): string {
    const sign = this.digits < 0n ? '-' : '';
    const text = (this.digits < 0n ? -this.digits : this.digits).toString();
    if (this.scale === 0) return sign + text;
    const padded = text.padStart(this.scale + 1, '0');
    const whole = padded.slice(0, -this.scale);
    const fraction = padded.slice(-this.scale).replace(/0+$/, '');
    return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(this.toString());
  }
}

/** Decimal places of a quotient. */
const DIVISION_PLACES = 20;
/** Larger exponents are not written out. */
const EXPONENT_MAX = 1000;
/** The most digits to compute with: the time grows faster than the number of digits. */
const DIGITS_MAX = 20_000;

/**
 * The number in a canonical text; undefined if it is not one. Throws {@link EvaluationError} if it
 * has too many digits or too large an exponent.
 */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const length = whole.length + fraction.length;
  if (length > DIGITS_MAX) throw tooLong('number');
  if (length === 0) return undefined;
  if (Math.abs(shift) > EXPONENT_MAX) {
    throw new EvaluationError('value-out-of-range', 'The exponent of a number is too large.');
  }
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - shift;
  return scale >= 0 ? new Decimal(digits, scale) : new Decimal(digits * 10n ** BigInt(-scale));
}

/** Throws {@link EvaluationError} if the sum is outside the range of a double. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  const sum = scaled(left, scale) + scaled(right, scale);
  return inRange(new Decimal(sum, scale, left.isDouble || right.isDouble));
}

export function negateDecimal({ digits, scale, isDouble }: Decimal): Decimal {
  return new Decimal(-digits, scale, isDouble);
}

/**
 * Throws {@link EvaluationError} if the product has too many digits, or is outside the range of a
 * double.
 */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  if (sizeOf(left) + sizeOf(right) > DIGITS_MAX) throw tooLong('product');
  const product = left.digits * right.digits;
  return inRange(new Decimal(product, left.scale + right.scale, left.isDouble || right.isDouble));
}

/**
 * The power with an integer exponent that is not negative; undefined if it may have too many digits to be computed
 * exactly. It may be outside the range of a double.
 */
export function exactPower(base: Decimal, exponent: number): Decimal | undefined {
  if (sizeOf(base) * exponent > DIGITS_MAX) return undefined;
  return new Decimal(base.digits ** BigInt(exponent), base.scale * exponent, base.isDouble);
}

/**
 * The quotient, rounded to twenty places, ties away from zero, or that of doubles if a number is one; undefined for a
 * division by zero. Throws {@link EvaluationError} if it is outside the range of a double.
 */
export function divideDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.digits === 0n) return undefined;
  if (left.isDouble || right.isDouble) {
    const quotient = decimalOfNumber(left.toNumber() / right.toNumber());
    if (!quotient) throw beyondDouble();
    return quotient.asDouble(true);
  }
  return quotientOf(left, right, DIVISION_PLACES);
}

/** The quotient, rounded to that many places, ties away from zero. The divisor is not zero. */
export function quotientOf(left: Decimal, right: Decimal, places: number): Decimal {
  const sign = left.digits < 0n === right.digits < 0n ? 1n : -1n;
  const above = magnitude(left) * 10n ** BigInt(right.scale + places);
  const below = magnitude(right) * 10n ** BigInt(left.scale);
  return new Decimal((sign * (2n * above + below)) / (2n * below), places);
}

function magnitude({ digits }: Decimal): bigint {
  return digits < 0n ? -digits : digits;
}

/** The remainder of a truncating division, with the sign of the dividend. */
export function remainderOf(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.digits === 0n) return undefined;
  const scale = Math.max(left.scale, right.scale);
  const rest = scaled(left, scale) % scaled(right, scale);
  return new Decimal(rest, scale, left.isDouble || right.isDouble);
}

/** Negative, zero or positive, as `left` is less than, equal to or greater than `right`. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaled(left, scale) - scaled(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The number rounded to that many places; `direct` decides by the whole number and the rest. */
export function roundDecimal(
  value: Decimal,
  places: number,
  direct: (whole: bigint, rest: bigint, half: bigint) => bigint,
): Decimal {
  if (places >= value.scale) return value;
  // A power of ten with so many digits would take long, or not fit into memory.
  if (-places > magnitude(value).toString().length) return new Decimal(0n);
  const unit = 10n ** BigInt(value.scale - places);
  const whole = direct(value.digits / unit, value.digits % unit, unit / 2n);
  return places >= 0
    ? new Decimal(whole, places, value.isDouble)
    : new Decimal(whole * 10n ** BigInt(-places), 0, value.isDouble);
}

/** Rounds ties away from zero. */
export function halfAway(whole: bigint, rest: bigint, half: bigint): bigint {
  if (rest >= half) return whole + 1n;
  return rest <= -half ? whole - 1n : whole;
}

/** The digits before the point of the largest double. */
export const WHOLE_DIGITS_MAX = 309;

function inRange(value: Decimal): Decimal {
  const { scale } = value;
  const whole = magnitude(value).toString().length - scale;
  if (whole <= WHOLE_DIGITS_MAX) return value;
  throw beyondDouble();
}

function beyondDouble(): EvaluationError {
  return new EvaluationError('value-out-of-range', 'A number is beyond the range of a double.');
}

/** The shortest decimal that reads back as the double; undefined for NaN and infinities. */
export function decimalOfNumber(value: number): Decimal | undefined {
  return Number.isFinite(value) ? readDecimal(String(value)) : undefined;
}

function tooLong(what: string): EvaluationError {
  return new EvaluationError('value-out-of-range', `A ${what} has more than ${DIGITS_MAX} digits.`);
}

/** About how many digits a number has, including trailing zeros of the fraction. */
function sizeOf({ digits, scale }: Decimal): number {
  return Math.max(digits.toString(16).length, scale);
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
