/** A run on a connection to MySQL or MariaDB: which of its steps are done, and how they ended. */
import { SourceError } from '../source-error.js';
import type { Run, Statement } from '../statement.js';
import { isInterruption, mysqlError, type ServerFault } from './errors.js';
import type { Prepared } from './statements.js';
import { isRead } from './warnings.js';

interface Sending {
  /** Whether it was sent before, and failed because a statement was stale. */
  readonly isRepeated: boolean;
  /** Whether it is no part of a transaction that was open. */
  readonly isAlone: boolean;
  /** Whether it only asks what the server has warned about. */
  readonly isInquiry: boolean;
}

export class SentRun {
  readonly run: Run;
  readonly #sending: Sending;
  /** The statements of its steps; undefined: of commands, and of those that read on from the cursor. */
  readonly statements: readonly (Prepared | undefined)[];
  /** Whether it was written to the socket. */
  isOut = false;
  /** Commands of it that are not answered yet. */
  unanswered = 0;
  /** Whether a statement of it has had an effect, or rows. */
  #hasBegun = false;
  #isAbandoned = false;
  #failure: unknown;
  readonly #warned = new Set<number>();

  constructor(run: Run, statements: readonly (Prepared | undefined)[], sending: Sending) {
    this.run = run;
    this.statements = statements;
    this.#sending = sending;
  }

  /** Whether the server knows all of its statements. */
  get isReady(): boolean {
    return this.statements.every((statement) => statement?.isReady !== false);
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Whether its rows are still wanted. */
  get takesRows(): boolean {
    return !this.#isAbandoned && this.#failure === undefined;
  }

  get isStale(): boolean {
    return this.#failure instanceof SourceError && this.#failure.code === 'statement-stale';
  }

  /** Whether it can be sent once more, as if nothing had happened. */
  get mayRepeat(): boolean {
    const { isAlone, isRepeated } = this.#sending;
    return this.isStale && isAlone && !isRepeated && !this.#hasBegun && !this.#isAbandoned;
  }

  /** Whether the server may have committed it, as far as is known when the connection is lost. */
  get mayHaveCommitted(): boolean {
    return this.isOut && this.run.isCommit === true && this.#failure === undefined;
  }

  get isInquiry(): boolean {
    return this.#sending.isInquiry;
  }

  /** The reads whose values may be wrong: the server has warned about them. */
  get doubtful(): readonly Statement[] {
    if (this.isInquiry || !this.takesRows) return [];
    const statements = [...this.#warned].map((index) => this.run.steps[index]?.statement);
    return statements.filter((each) => each !== undefined).filter(({ text }) => isRead(text));
  }

  /** The server has warned about the values of a step. */
  warn(index: number): void {
    this.#warned.add(index);
  }

  /** Throws away what is still to come of it. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  row(index: number, bytes: Buffer, start: number): void {
    this.#hasBegun = true;
    try {
      this.run.steps[index]?.sink.row(bytes, start);
    } catch (error) {
      this.#failure = error;
    }
  }

  complete(index: number, count: number, hasMore: boolean): void {
    if (!this.takesRows) return;
    if (!this.#isCommand(index)) this.#hasBegun = true;
    this.run.steps[index]?.sink.complete?.(count, hasMore);
  }

  /** The server has failed a step; the first failure counts. */
  fault(index: number, fault: ServerFault): void {
    // A commit that is interrupted may have taken effect before the interruption did.
    const isUnknown = this.run.isCommit === true && this.#isCommand(index) && isInterruption(fault);
    if (isUnknown) this.fail(new SourceError('outcome-unknown', { cause: fault }));
    else this.fail(mysqlError(fault).placedAt({ statement: index, row: 0 }));
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  end(serviceMs: number): void {
    if (!this.#isAbandoned) this.run.end(this.#failure, serviceMs);
  }

  #isCommand(index: number): boolean {
    return this.run.steps[index]?.statement?.isCommand === true;
  }
}
