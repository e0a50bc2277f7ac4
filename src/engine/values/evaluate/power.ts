/**
 * Powers as the databases compute them: null without a finite result, and an error if it is too
 * large.
 */
import { type Decimal, decimalOfNumber, multiplyDecimals } from './decimal.js';
import { EvaluationError } from './evaluation-error.js';

/**
 * Null for the root of a negative number, and for a pole. A square is exact. Throws
 * {@link EvaluationError} for an overflow.
 */
export function powerOf(base: Decimal, exponent: number): Decimal | null {
  if (exponent === 2) return multiplyDecimals(base, base);
  const root = Number(base.toString());
  const value = root ** exponent;
  if (Number.isNaN(value) || (root === 0 && exponent < 0)) return null;
  const power = decimalOfNumber(value);
  if (power) return power;
  throw new EvaluationError('value-out-of-range', 'A power is too large.');
}
