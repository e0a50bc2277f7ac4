/** A request as a lane holds it: what it was asked with, and where its answer goes. */
import type { ParameterValues } from '../../engine/index.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';

export interface Member {
  readonly values: ParameterValues;
  readonly pretty: boolean;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
  /** When it joined, by `performance.now()`. */
  readonly joinedAt: number;
  /** The answer is written, not yet ended. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
