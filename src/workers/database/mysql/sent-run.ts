/** A run on a connection to MySQL or MariaDB: which of its steps are done, and their results. */
import { BaseSentRun, type Sending } from '../base-sent-run.js';
import { SourceError } from '../source-error.js';
import type { Run, Step } from '../statement.js';
import { isInterruption, mysqlError, type ServerFault } from './errors.js';
import type { Prepared } from './statements.js';
import { isUncertain, uncertainDetail } from './uncertain.js';
import { isRead } from './warnings.js';

const nothing: readonly Step[] = [];

export class SentRun extends BaseSentRun {
  /** If it only asks what the server has warned about: the run with the warnings, which ends with this one. */
  readonly about: SentRun | undefined;
  /** Those of its steps; undefined for commands, and for steps that read on from the cursor. */
  readonly statements: readonly (Prepared | undefined)[];
  /** How many of its commands are not answered yet. */
  unanswered = 0;
  /** The steps that the server has warned about. */
  #warned: Set<number> | undefined;

  constructor(
    run: Run,
    statements: readonly (Prepared | undefined)[],
    sending: Sending & { readonly about: SentRun | undefined },
  ) {
    super(run, sending);
    this.statements = statements;
    this.about = sending.about;
  }

  /** Whether the server has prepared all its statements. */
  get isReady(): boolean {
    return this.statements.every((statement) => statement?.isReady !== false);
  }

  get mayHaveCommitted(): boolean {
    return this.isOut && this.run.isCommit === true && this.failure === undefined;
  }

  /** The reads whose values may be wrong: the server has warned about them. */
  get doubtful(): readonly Step[] {
    if (this.#warned === undefined || this.about || !this.takesRows) return nothing;
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

  inserted(index: number, key: number): void {
    if (this.takesRows) this.run.steps[index]?.sink.inserted?.(key);
  }

  complete(index: number, count: number, hasMore: boolean, warnings: number): void {
    if (!this.takesRows) return;
    if (!this.#isCommand(index)) this.hasBegun = true;
    this.run.steps[index]?.sink.complete?.(count, hasMore, warnings);
  }

  /** A step has failed; the first failure counts. */
  fault(index: number, fault: ServerFault): void {
    if (this.isOut && this.run.isCommit === true && this.#mayHaveStored(index, fault)) {
      const detail = uncertainDetail(fault);
      this.fail(new SourceError('outcome-unknown', { detail, cause: fault }));
    } else this.fail(mysqlError(fault).with({ at: { statement: index, row: 0 } }));
  }

  /** An interrupted commit may have taken effect before the interruption; an interrupted statement has not. */
  #mayHaveStored(index: number, fault: ServerFault): boolean {
    return isUncertain(fault) || (this.#isCommand(index) && isInterruption(fault));
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }

  #isCommand(index: number): boolean {
    return this.run.steps[index]?.statement?.isCommand === true;
  }
}
