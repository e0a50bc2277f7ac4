/**
 * Powers as the databases compute them: null without a finite result, and an error if it is too
 * large.
 */
import {
  compareDecimals,
  Decimal,
  decimalOfNumber,
  exactPower,
  halfAway,
  quotientOf,
  roundDecimal,
  WHOLE_DIGITS_MAX,
} from './decimal.js';
import { EvaluationError } from './evaluation-error.js';

/** The significant digits of a power with decimal places on PostgreSQL. */
const POWER_DIGITS = 16;
const PLACES_MAX = 1000;

/**
 * Null for the root of a negative number, and for a pole. The power of an integer with a whole exponent is exact, and so is
 * a square. Throws {@link EvaluationError} for an overflow.
 */
export function powerOf(base: Decimal, exponent: number): Decimal | null {
  if (base.digits === 0n && exponent < 0) return null;
  const exact = Number.isInteger(exponent) ? exactPower(base, Math.abs(exponent)) : undefined;
  if (!exact) return doublePower(base, exponent);
  const logarithm = base.digits === 0n ? 0 : logarithmOf(base) * exponent;
  if (logarithm >= WHOLE_DIGITS_MAX) throw tooLarge();
  if (exponent === 2) return exact;
  // As `power_var_int` in PostgreSQL's numeric.c.
  const places = Math.max(POWER_DIGITS - Math.trunc(logarithm), base.scale);
  return exponent < 0
    ? quotientOf(one, exact, Math.min(places, PLACES_MAX)).asDouble(base.isDouble)
    : roundDecimal(exact, Math.min(places, PLACES_MAX), halfAway);
}

const one = new Decimal(1n);

function logarithmOf({ digits, scale }: Decimal): number {
  const text = (digits < 0n ? -digits : digits).toString();
  return Math.log10(Number(`0.${text}`)) + text.length - scale;
}

/**
 * The root of that degree, as a double: the exact one if it has at most 15 digits. Null for the root of a negative number,
 * for a pole, and for the degree 0.
 */
export function rootOf(base: Decimal, degree: number): Decimal | null {
  if (degree === 0) return null;
  const power = powerOf(base, 1 / degree);
  if (!power) return null;
  const rounded = decimalOfNumber(Number(power.toNumber().toPrecision(15)));
  const isExact =
    rounded && degree > 0 && Number.isInteger(degree) && isPower(base, rounded, degree);
  const root = isExact ? rounded : decimalOfNumber(power.toNumber());
  return root?.asDouble(base.isDouble) ?? null;
}

function isPower(base: Decimal, root: Decimal, degree: number): boolean {
  const power = exactPower(root, degree);
  return power !== undefined && compareDecimals(power, base) === 0;
}

function doublePower(base: Decimal, exponent: number): Decimal | null {
  const value = base.toNumber() ** exponent;
  if (Number.isNaN(value)) return null;
  const power = decimalOfNumber(value);
  if (power) return power.asDouble(base.isDouble);
  throw tooLarge();
}

function tooLarge(): EvaluationError {
  return new EvaluationError('value-out-of-range', 'A power is too large.');
}
