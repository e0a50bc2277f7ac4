/** Evaluations that fail: told with the property or the constraint that they were for. */
import { EngineError, type EngineErrorCode } from '../../errors.js';

/** What was evaluated, and where that is told of. */
export interface EvaluatedFor {
  /** `Property 'price' of entity 'Items'` */
  readonly what: string;
  readonly place?: string | undefined;
}

/** Thrown while an expression is evaluated, without knowing what for. */
export class EvaluationError extends Error {
  readonly code: EngineErrorCode;

  /** `why` is a sentence, and holds no value. */
  constructor(code: EngineErrorCode, why: string) {
    super(why);
    this.name = 'EvaluationError';
    this.code = code;
  }
}

/** The value of `work`; its failure names what it was evaluated for. */
export function evaluatedFor<Result>({ what, place }: EvaluatedFor, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { code, message } = error;
    throw new EngineError(code, `${what} cannot be evaluated: ${message}`, { place });
  }
}
