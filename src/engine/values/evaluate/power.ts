/**
 * Powers as the databases compute them: null without a finite result, and an error if it is too
 * large.
 */
import { type Decimal, decimalOfNumber } from './decimal.js';
import { EvaluationError } from './evaluation-error.js';

/**
 * Null for the root of a negative number, and for a pole. Throws {@link EvaluationError} for an
 * overflow.
 */
export function powerOf(base: number, exponent: number): Decimal | null {
  const value = base ** exponent;
  if (Number.isNaN(value) || (base === 0 && exponent < 0)) return null;
  const power = decimalOfNumber(value);
  if (power) return power;
  throw new EvaluationError('value-out-of-range', 'A power is too large.');
}
