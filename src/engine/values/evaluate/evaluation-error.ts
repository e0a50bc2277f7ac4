/** Failed evaluations, reported with their property or constraint. */
import { EngineError, type EngineErrorCode } from '../../errors.js';

/** What is being evaluated, and its place for errors. */
export interface EvaluatedFor {
  /** `Property 'price' of entity 'Items'` */
  readonly what: string;
  readonly place?: string | undefined;
}

/** Thrown by an evaluation, which does not know the property or constraint. */
export class EvaluationError extends Error {
  readonly code: EngineErrorCode;

  /** `why` is a sentence without values. */
  constructor(code: EngineErrorCode, why: string) {
    super(why);
    this.name = 'EvaluationError';
    this.code = code;
  }
}

/** The value of `work`. Its error says what was evaluated. */
export function evaluatedFor<Result>({ what, place }: EvaluatedFor, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { code, message } = error;
    throw new EngineError(code, `${what} cannot be evaluated: ${message}`, { place });
  }
}
