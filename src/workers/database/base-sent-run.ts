/** What a run that was sent to a database is in both protocols: wanted or abandoned, its rows and its failure. */
import { SourceError } from './source-error.js';
import type { Run } from './statement.js';

/** How a run is sent. */
export interface Sending {
  /** Whether it was sent before and failed because of a stale statement. */
  readonly isRepeated: boolean;
  /** Whether it is not part of an open transaction. */
  readonly isAlone: boolean;
}

export abstract class BaseSentRun {
  readonly run: Run;
  readonly #mayRepeat: boolean;
  /** Whether it was written to the socket. */
  isOut = false;
  /** Whether the rest of its answer is discarded. */
  isAbandoned = false;
  /** Whether one of its statements has written or returned rows. */
  protected hasBegun = false;
  protected failure: unknown;

  constructor(run: Run, { isRepeated, isAlone }: Sending) {
    this.run = run;
    this.#mayRepeat = isAlone && !isRepeated;
  }

  /** Whether the server may have committed it, when the connection is lost. */
  abstract get mayHaveCommitted(): boolean;

  /** The first failure counts, unless a later one says more. */
  abstract fail(error: unknown, isStronger?: boolean): void;

  /** Whether its rows are still wanted. */
  get takesRows(): boolean {
    return !this.isAbandoned && this.failure === undefined;
  }

  get isPlanInvalid(): boolean {
    return this.failure instanceof SourceError && this.failure.code === 'cached-plan-invalid';
  }

  /** Whether it can be sent again without any effect of the first attempt. */
  get mayRepeat(): boolean {
    return this.isPlanInvalid && this.#mayRepeat && !this.hasBegun && !this.isAbandoned;
  }

  end(serviceMs: number): void {
    if (!this.isAbandoned) this.run.end(this.failure, serviceMs);
  }

  /** Passes on a row of the step with this index. */
  pass(step: number, bytes: Buffer, start: number): void {
    this.hasBegun = true;
    try {
      this.run.steps[step]?.sink.row(bytes, start);
    } catch (error) {
      this.failure = error;
    }
  }
}
