/** Powers, as the databases give them: what has no finite value is an error, not null. */
import { type Decimal, decimalOfNumber } from './decimal.js';
import { EvaluationError } from './evaluation-error.js';

/** Throws {@link EvaluationError} for the root of a negative number, a pole, and an overflow. */
export function powerOf(base: number, exponent: number): Decimal {
  const value = base ** exponent;
  if (Number.isNaN(value)) {
    throw new EvaluationError('evaluation-failed', 'A negative number has no such power.');
  }
  if (base === 0 && exponent < 0) {
    throw new EvaluationError('evaluation-failed', 'Zero has no negative power.');
  }
  const power = decimalOfNumber(value);
  if (power) return power;
  throw new EvaluationError('value-out-of-range', 'A power is too great.');
}
