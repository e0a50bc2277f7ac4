/** What a run that was sent to a database is in both protocols: wanted or abandoned, and its failure. */
import { SourceError } from './source-error.js';
import type { Run } from './statement.js';

export abstract class BaseSentRun {
  readonly run: Run;
  /** Whether it was written to the socket. */
  isOut = false;
  /** Whether the rest of its answer is discarded. */
  isAbandoned = false;
  protected failure: unknown;

  constructor(run: Run) {
    this.run = run;
  }

  /** Whether its rows are still wanted. */
  get takesRows(): boolean {
    return !this.isAbandoned && this.failure === undefined;
  }

  get isPlanInvalid(): boolean {
    return this.failure instanceof SourceError && this.failure.code === 'cached-plan-invalid';
  }

  end(serviceMs: number): void {
    if (!this.isAbandoned) this.run.end(this.failure, serviceMs);
  }
}
