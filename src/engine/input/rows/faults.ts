/** Gathers what is wrong with the values of a write, so that all of it is answered together. */
import { EngineError, type EngineErrorCode, type PlacedFault } from '../../errors.js';

/** Faults answered in one error are at most so many. */
const FAULTS_MAX = 100;

export class Faults {
  // Most writes have none.
  #types: PlacedFault[] | undefined;
  #unmet: PlacedFault[] | undefined;

  /** A value of a wrong type. */
  addType(message: string, place: string): void {
    this.#types ??= [];
    if (this.#types.length < FAULTS_MAX) this.#types.push({ message, place });
  }

  /** A constraint that is not met. */
  addUnmet(message: string, place: string): void {
    this.#unmet ??= [];
    if (this.#unmet.length < FAULTS_MAX) this.#unmet.push({ message, place });
  }

  /** Throws `parameter-type` when a type was wrong, else `constraint-unmet` when there is any. */
  throwIfAny(): void {
    if (this.#types) {
      throw faultError('parameter-type', this.#types, 'values are of a wrong type');
    }
    if (this.#unmet) {
      throw faultError('constraint-unmet', this.#unmet, 'constraints are not met');
    }
  }
}

/** One error that tells of all faults, of which there is at least one. */
export function faultError(
  code: EngineErrorCode,
  errors: readonly PlacedFault[],
  what: string,
): EngineError {
  const [first] = errors;
  const message = errors.length === 1 && first ? `${first.message}.` : `${errors.length} ${what}.`;
  return new EngineError(code, message, { place: first?.place, errors });
}
