/** Collects the errors in the values of a write, so that one answer reports all of them. */
import { asSentence, EngineError, type EngineErrorCode, type PlacedFault } from '../../errors.js';

/** The maximum number of errors in an answer. */
const FAULTS_MAX = 100;

export class Faults {
  // Undefined for most writes, which have no errors.
  #types: PlacedFault[] | undefined;
  #unmet: PlacedFault[] | undefined;
  #hint: string | undefined;

  addType(message: string, place: string): void {
    this.#types ??= [];
    if (this.#types.length < FAULTS_MAX) this.#types.push({ message, place });
  }

  /** Only the hint of the first error is asked for and answered. */
  addUnmet(message: string, place: string, hint?: () => string | undefined): void {
    if (!this.#unmet) this.#hint = hint?.();
    this.#unmet ??= [];
    if (this.#unmet.length < FAULTS_MAX) this.#unmet.push({ message, place });
  }

  /**
   * Throws `parameter-type` if a value has the wrong type, or `constraint-unmet` if there are other
   * errors.
   */
  throwIfAny(): void {
    if (this.#types) {
      throw faultError('parameter-type', this.#types, 'values have the wrong type');
    }
    if (this.#unmet) {
      throw faultError('constraint-unmet', this.#unmet, 'constraints are not met', this.#hint);
    }
  }
}

/** One error that lists several, of which there must be at least one. */
export function faultError(
  code: EngineErrorCode,
  errors: readonly PlacedFault[],
  what: string,
  hint?: string,
): EngineError {
  const [first] = errors;
  const message =
    errors.length === 1 && first ? asSentence(first.message) : `${errors.length} ${what}.`;
  return new EngineError(code, message, { place: first?.place, hint, errors });
}
