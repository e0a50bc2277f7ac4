/** Exact decimal numbers: digits as a BigInt, and how many of them stand behind the point. */
import { EvaluationError } from './evaluation-error.js';

export class Decimal {
  readonly digits: bigint;
  readonly scale: number;

  constructor(digits: bigint, scale = 0) {
    this.digits = digits;
    this.scale = scale;
  }

  /** The digits without trailing zeros of the fraction. */
  toString(): string {
    const sign = this.digits < 0n ? '-' : '';
    const text = (this.digits < 0n ? -this.digits : this.digits).toString();
    if (this.scale === 0) return sign + text;
    const padded = text.padStart(this.scale + 1, '0');
    const whole = padded.slice(0, -this.scale);
    const fraction = padded.slice(-this.scale).replace(/0+$/, '');
    return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
  }
}

/** Places that a division is carried on to, beyond those of its operands. */
const DIVISION_PLACES = 20;
/** Exponents of more than this are not written out. */
const EXPONENT_MAX = 1000;
/** Numbers of more digits are not computed with: the time that it takes grows faster than they do. */
const DIGITS_MAX = 20_000;

/**
 * The number that a canonical text says; undefined where it says none.
 * Throws {@link EvaluationError} when it has more digits than are computed with,
 * or a greater exponent.
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
    throw new EvaluationError('value-out-of-range', 'The exponent of a number is too great.');
  }
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - shift;
  return scale >= 0 ? new Decimal(digits, scale) : new Decimal(digits * 10n ** BigInt(-scale));
}

/** Throws {@link EvaluationError} for a sum beyond the range of a double. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  return inRange(new Decimal(scaled(left, scale) + scaled(right, scale), scale));
}

export function negateDecimal({ digits, scale }: Decimal): Decimal {
  return new Decimal(-digits, scale);
}

/**
 * Throws {@link EvaluationError} when the product has more digits than are computed with, or is beyond the
 * range of a double.
 */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  if (sizeOf(left) + sizeOf(right) > DIGITS_MAX) throw tooLong('product');
  return inRange(new Decimal(left.digits * right.digits, left.scale + right.scale));
}

/** The quotient to twenty places beyond its operands'; undefined of a division by zero. */
export function divideDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.digits === 0n) return undefined;
  const scale = Math.max(left.scale, right.scale) + DIVISION_PLACES;
  return new Decimal(scaled(left, scale + right.scale) / right.digits, scale);
}

/** What is left of a division that cuts off; it has the sign of the dividend. */
export function remainderOf(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.digits === 0n) return undefined;
  const scale = Math.max(left.scale, right.scale);
  return new Decimal(scaled(left, scale) % scaled(right, scale), scale);
}

/** Below zero, zero or above, as `left` is below, equal to or above `right`. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = scaled(left, scale) - scaled(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The number to so many places, `digits` of it handed to `direct` as whole and rest. */
export function roundDecimal(
  value: Decimal,
  places: number,
  direct: (whole: bigint, rest: bigint, half: bigint) => bigint,
): Decimal {
  if (places >= value.scale) return value;
  const unit = 10n ** BigInt(value.scale - places);
  const whole = direct(value.digits / unit, value.digits % unit, unit / 2n);
  return places >= 0 ? new Decimal(whole, places) : new Decimal(whole * 10n ** BigInt(-places));
}

/** The digits before the point of the greatest double. */
const WHOLE_DIGITS_MAX = 309;

function inRange(value: Decimal): Decimal {
  const { digits, scale } = value;
  const whole = (digits < 0n ? -digits : digits).toString().length - scale;
  if (whole <= WHOLE_DIGITS_MAX) return value;
  throw new EvaluationError('value-out-of-range', 'A number is beyond the range of a double.');
}

/** A double as the shortest decimal that reads back as it; undefined of NaN and infinities. */
export function decimalOfNumber(value: number): Decimal | undefined {
  return Number.isFinite(value) ? readDecimal(String(value)) : undefined;
}

function tooLong(what: string): EvaluationError {
  return new EvaluationError('value-out-of-range', `A ${what} has more than ${DIGITS_MAX} digits.`);
}

/** The digits that a number has, roughly; those behind the point count even when they are zeros. */
function sizeOf({ digits, scale }: Decimal): number {
  return Math.max(digits.toString(16).length, scale);
}

function scaled({ digits, scale }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}
