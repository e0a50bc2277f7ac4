/** What batched reads need from their host, which receives their answers. */
import type { OutputBytes } from '../../engine/index.js';
import type { Request } from './request.js';
import type { ReadyPlan } from '../plans.js';
import type { Trial } from './trial.js';

export interface ReadHost {
  /** Answers a request with these bytes, which are copied. */
  answer(request: Request, bytes: OutputBytes): void;
  /** Answers several requests; the answer of `requests[i]` ends at `ends[i]`. */
  answerAll(requests: readonly Request[], ends: readonly number[], bytes: OutputBytes): void;
  failed(request: Request, error: unknown): void;
  /** Runs a request on separate connections; never rejects. Resolves to whether its answer was small. */
  runAlone(request: Request, progress: AloneProgress): Promise<boolean>;
  /** Reports whether the reads of a plan are short enough to stay on few workers. */
  estimated(ready: ReadyPlan): void;
}

/** The progress of a request on separate connections. */
export interface AloneProgress {
  /** Its first statement begins. */
  onStart(): void;
  /** The first part of its answer has left. */
  onStreamed(): void;
  /** Set if it may be stopped to run again. */
  readonly trial: Trial | undefined;
}
