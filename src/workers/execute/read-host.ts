/** Where the answers of shared reads go, and what else they need of those who run them. */
import type { OutputBytes } from '../../engine/index.js';
import type { Answer } from './answer.js';
import type { Request } from './request.js';
import type { SharedWork } from './shared-connections.js';

export interface ReadHost {
  /** Answers a request with these bytes, which are copied. */
  answer(request: Request, bytes: OutputBytes): void;
  /** Answers several; the answer of `requests[i]` ends at `ends[i]`. */
  answerAll(requests: readonly Request[], ends: readonly number[], bytes: OutputBytes): void;
  failed(request: Request, error: unknown): void;
  /**
   * The answer of a request leaves in parts from now on; its statement gets its connection for itself.
   * Undefined: too many connections are held by such answers.
   */
  beginStream(request: Request, bytes: OutputBytes, work: SharedWork): Answer | undefined;
  endStream(request: Request): void;
  /** Stops and resumes the rows of a statement. */
  pause(work: SharedWork): void;
  resume(work: SharedWork): void;
  /** Ends a statement whose rows nobody takes. */
  stop(work: SharedWork): void;
}
