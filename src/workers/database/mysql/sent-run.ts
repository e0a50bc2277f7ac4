/** A run on a connection to MySQL or MariaDB: which of its steps are done, and their results. */
import { BaseSentRun } from '../base-sent-run.js';
import { SourceError } from '../source-error.js';
import type { Run, Step } from '../statement.js';
import { isInterruption, mysqlError, type ServerFault } from './errors.js';
import type { Prepared } from './statements.js';
import { isRead } from './warnings.js';

interface Sending {
  /** Whether it was sent before and failed because of a stale statement. */
  readonly isRepeated: boolean;
  /** Whether it is not part of an open transaction. */
  readonly isAlone: boolean;
  /** Whether it only asks what the server has warned about. */
  readonly isInquiry: boolean;
}

const nothing: readonly Step[] = [];

export class SentRun extends BaseSentRun {
  readonly #sending: Sending;
  /** Those of its steps; undefined for commands, and for steps that read on from the cursor. */
  readonly statements: readonly (Prepared | undefined)[];
  /** How many of its commands are not answered yet. */
  unanswered = 0;
  /** Whether one of its statements has written or returned rows. */
  #hasBegun = false;
  /** The steps that the server has warned about. */
  #warned: Set<number> | undefined;

  constructor(run: Run, statements: readonly (Prepared | undefined)[], sending: Sending) {
    super(run);
    this.statements = statements;
    this.#sending = sending;
  }

  /** Whether the server has prepared all its statements. */
  get isReady(): boolean {
    return this.statements.every((statement) => statement?.isReady !== false);
  }

  /** Whether it can be sent again without any effect of the first attempt. */
  get mayRepeat(): boolean {
    const { isAlone, isRepeated } = this.#sending;
    return this.isPlanInvalid && isAlone && !isRepeated && !this.#hasBegun && !this.isAbandoned;
  }

  /** Whether the server may have committed it, when the connection is lost. */
  get mayHaveCommitted(): boolean {
    return this.isOut && this.run.isCommit === true && this.failure === undefined;
  }

  get isInquiry(): boolean {
    return this.#sending.isInquiry;
  }

  /** The reads whose values may be wrong: the server has warned about them. */
  get doubtful(): readonly Step[] {
    if (this.#warned === undefined || this.isInquiry || !this.takesRows) return nothing;
    const steps = [...this.#warned].map((index) => this.run.steps[index]);
    return steps
      .filter((step) => step !== undefined)
      .filter(({ statement }) => statement !== undefined && isRead(statement.text));
  }

  /** The server has warned about the values of a step. */
  warn(index: number): void {
    this.#warned ??= new Set();
    this.#warned.add(index);
  }

  row(index: number, bytes: Buffer, start: number): void {
    this.#hasBegun = true;
    try {
      this.run.steps[index]?.sink.row(bytes, start);
    } catch (error) {
      this.failure = error;
    }
  }

  inserted(index: number, key: number): void {
    if (this.takesRows) this.run.steps[index]?.sink.inserted?.(key);
  }

  complete(index: number, count: number, hasMore: boolean, warnings: number): void {
    if (!this.takesRows) return;
    if (!this.#isCommand(index)) this.#hasBegun = true;
    this.run.steps[index]?.sink.complete?.(count, hasMore, warnings);
  }

  /** A step has failed; the first failure counts. */
  fault(index: number, fault: ServerFault): void {
    // An interrupted commit may have taken effect before the interruption.
    const isUnknown = this.run.isCommit === true && this.#isCommand(index) && isInterruption(fault);
    if (isUnknown) this.fail(new SourceError('outcome-unknown', { cause: fault }));
    else this.fail(mysqlError(fault).with({ at: { statement: index, row: 0 } }));
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }

  #isCommand(index: number): boolean {
    return this.run.steps[index]?.statement?.isCommand === true;
  }
}
