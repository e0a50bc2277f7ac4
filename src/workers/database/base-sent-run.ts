/** What a run that was sent to a database is in both protocols: wanted or abandoned, and its failure. */
import { SourceError } from './source-error.js';
import type { Run } from './statement.js';

export abstract class BaseSentRun {
  readonly run: Run;
  /** Whether it was written to the socket. */
  isOut = false;
  protected failure: unknown;
  #isAbandoned = false;

  constructor(run: Run) {
    this.run = run;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Whether its rows are still wanted. */
  get takesRows(): boolean {
    return !this.#isAbandoned && this.failure === undefined;
  }

  get isPlanInvalid(): boolean {
    return this.failure instanceof SourceError && this.failure.code === 'cached-plan-invalid';
  }

  /** Discards the rest of its answer. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  end(serviceMs: number): void {
    if (!this.#isAbandoned) this.run.end(this.failure, serviceMs);
  }
}
