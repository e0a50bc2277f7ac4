/** Returns the expected error of a call as a value. */
import { EngineError } from '../../../src/engine/errors.js';

/** The engine error that `act` throws, or undefined if it throws none. Other errors are rethrown. */
export function thrownBy(act: () => unknown): EngineError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  return undefined;
}
