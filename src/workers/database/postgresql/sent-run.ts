/** A run that a connection to PostgreSQL has sent: which of its steps is being answered, and how. */
import { SourceError } from '../source-error.js';
import type { Run } from '../statement.js';

interface Sending {
  /** Texts that were to be prepared with it. */
  readonly parsed: readonly string[];
  /** Whether it was sent before, and failed because a statement was stale. */
  readonly isRepeated: boolean;
  /** Whether it is no part of a transaction that was open. */
  readonly isAlone: boolean;
}

export class SentRun {
  readonly run: Run;
  readonly #sending: Sending;
  /** Whether it was written to the socket. */
  isOut = false;
  /** How many of its texts were prepared. */
  prepared = 0;
  #step = 0;
  #hasRows = false;
  #isAbandoned = false;
  #failure: unknown;

  constructor(run: Run, sending: Sending) {
    this.run = run;
    this.#sending = sending;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Whether whoever takes the next row keeps its bytes. */
  get keepsRows(): boolean {
    return this.#takesRows && this.run.steps[this.#step]?.sink.keepsRows === true;
  }

  get isStale(): boolean {
    return this.#failure instanceof SourceError && this.#failure.code === 'statement-stale';
  }

  /** Whether it can be sent once more, as if nothing had happened. */
  get mayRepeat(): boolean {
    const { isAlone, isRepeated } = this.#sending;
    if (isRepeated || !isAlone || this.run.isBoundToTypes === true) return false;
    return this.isStale && !this.#hasRows && !this.#isAbandoned;
  }

  /** The texts that the server did not prepare, because of a failure. */
  get unprepared(): readonly string[] {
    const { parsed } = this.#sending;
    return this.prepared < parsed.length ? parsed.slice(this.prepared) : [];
  }

  /** Whether the server may have committed it, as far as is known when the connection is lost. */
  get mayHaveCommitted(): boolean {
    if (!this.isOut || this.run.isCommit !== true) return false;
    return this.#failure === undefined || this.#step >= this.run.steps.length;
  }

  /** Throws away what is still to come of it. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  row(bytes: Buffer, start: number): void {
    if (!this.#takesRows) return;
    this.#hasRows = true;
    try {
      this.run.steps[this.#step]?.sink.row(bytes, start);
    } catch (error) {
      this.#failure = error;
    }
  }

  /** CommandComplete: its tag ends with the number of rows. */
  complete(bytes: Buffer, start: number, end: number): void {
    const sink = this.run.steps[this.#step]?.sink;
    this.#step += 1;
    if (sink?.complete && this.#takesRows) sink.complete(countOf(bytes, start, end), false);
  }

  /** The step has ended without a tag. */
  suspended(hasMore = true): void {
    const sink = this.run.steps[this.#step]?.sink;
    this.#step += 1;
    if (sink?.complete && this.#takesRows) sink.complete(0, hasMore);
  }

  /** The first failure counts, unless a later one says more. */
  fail(error: unknown, isStronger = false): void {
    if (isStronger) this.#failure = error;
    this.#failure ??= this.#placed(error);
  }

  end(serviceMs: number): void {
    if (!this.#isAbandoned) this.run.end(this.#failure, serviceMs);
  }

  get #takesRows(): boolean {
    return !this.#isAbandoned && this.#failure === undefined;
  }

  #placed(error: unknown): unknown {
    if (!(error instanceof SourceError) || this.run.steps.length === 1) return error;
    return error.placedAt({ ...error.at, statement: this.#step });
  }
}

const ZERO = 0x30;

/** The digits before the zero that ends a tag; 0 where there are none. */
function countOf(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  let power = 1;
  for (let at = end - 2; at >= start; at -= 1, power *= 10) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    count += digit * power;
  }
  return count;
}
