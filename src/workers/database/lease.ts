/**
 * A connection that one request holds until it is done: for long or large statements, transactions,
 * streams, imports and exports. Failures reject with a `SourceError`.
 */
import { RowBytes } from '../../engine/index.js';
import type { Connection, TransactionMode } from './connection.js';
import type { Deadline, Timed } from './deadline.js';
import { rowLength, sharedMemory } from './row-memory.js';
import type { Driver } from './source.js';
import { isRepeatedRow, SourceError } from './source-error.js';
import {
  ByteBudget,
  command,
  keepRows,
  type RowSink,
  type Run,
  type Statement,
  type Step,
  type Written,
} from './statement.js';

/** The pool of a lease, and its limits. */
export interface LeaseOwner {
  readonly driver: Pick<Driver, 'transactions' | 'explain'>;
  readonly deadline: Deadline;
  /** Whether prepared statements are not worth keeping. */
  readonly isOnce: boolean;
  /** Appended to the text of each statement. */
  readonly comment: string | undefined;
  /** Returns the connection. `isFit`: others may use it. */
  give(connection: Connection, isFit: boolean): void;
}

export interface FailedWrite {
  readonly statements: readonly Statement[];
  /** Whether the statements were not part of a transaction, so that nothing of them remains. */
  readonly isUndone: boolean;
}

type Interruption = 'cancelled' | 'statement-timeout';

export class Lease implements Timed {
  readonly connection: Connection;
  readonly #owner: LeaseOwner;
  /** If set, everything is one transaction, which `commit` ends; otherwise a write with `last` does. */
  readonly #mode: TransactionMode | undefined;
  #isOpen = false;
  #running: Run | undefined;
  #interruption: Interruption | undefined;
  #stopping: Promise<void> | undefined;
  #isPaused = false;
  /** Whether the server has refused to work; another connection may reach one that does. */
  #isRefused = false;

  constructor(connection: Connection, owner: LeaseOwner, mode?: TransactionMode) {
    this.connection = connection;
    this.#owner = owner;
    this.#mode = mode;
  }

  /** For the deadline: whether the database is working on an answer that is read as it arrives. */
  get isWorking(): boolean {
    return !this.#isPaused && this.#running !== undefined;
  }

  get heardAt(): number {
    return this.connection.heardAt;
  }

  /** Runs steps to their end. A cursor among them begins a transaction. */
  async run(steps: readonly Step[]): Promise<void> {
    const needsTransaction = this.#mode !== undefined || steps.some(({ isCursor }) => isCursor);
    await this.#run(needsTransaction ? this.#opened(steps) : steps);
  }

  /** Streams at most `rowsMax` rows of a statement (0: all). */
  stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void> {
    return this.run([{ statement, rowsMax, sink }]);
  }

  /** Returns at most `rowsMax` rows of a statement (0: all). */
  async fetch(statement: Statement, rowsMax = 0, budget?: ByteBudget): Promise<RowBytes> {
    const rows = new RowBytes();
    await this.stream(statement, rowsMax, keepRows(rows, budget));
    return rows;
  }

  /**
   * Runs writing statements in one round trip. All writes up to the one with `last` form one
   * transaction, which that one commits; without it, `release` rolls back. With a mode, `commit`
   * commits instead. `isExplained`: whether it is worth finding out which row failed. After an {@link isRepeatedRow}
   * of a statement that expects it, the transaction is as it was before the call.
   */
  async write(
    statements: readonly Statement[],
    last: boolean,
    { isExplained = true } = {},
  ): Promise<readonly Written[]> {
    const commits = last && !this.#mode;
    if (statements.length === 0 && !commits) return [];
    const { failsRunsWhole } = this.#owner.driver.transactions;
    const isAlone = commits && !this.#isOpen && (failsRunsWhole || statements.length <= 1);
    if (!isAlone && !failsRunsWhole) {
      const written = await this.#writeInParts(statements, isExplained);
      if (commits) await this.#commitOpen([]);
      return written;
    }
    const { steps, results } = writing(statements);
    const isGuarded = !isAlone && statements.some(({ mayRepeatKey }) => mayRepeatKey === true);
    try {
      if (isAlone) await this.#run(steps, true);
      else {
        const opened = this.#opened(isGuarded ? guarded(steps) : steps);
        await (commits ? this.#commitOpen(opened) : this.#run(opened));
      }
    } catch (fault) {
      const failed = { statements, isUndone: isAlone };
      const error = isExplained ? await this.#explained(fault, failed) : fault;
      if (isGuarded && isRepeatedRow(error)) await this.#run([command(`ROLLBACK TO ${GUARD}`)]);
      throw error;
    }
    return results;
  }

  /** Runs these statements and commits. */
  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (!this.#isOpen && statements.length === 0) return;
    const opened = this.#opened(writing(statements).steps);
    if (this.#owner.driver.transactions.failsRunsWhole) return this.#commitOpen(opened);
    await this.#run(opened);
    return this.#commitOpen([]);
  }

  /** Begins a transaction unless one is open. */
  async begin(): Promise<void> {
    if (!this.#isOpen) await this.#run(this.#opened([]));
  }

  /** Rolls back; earlier failures do not matter. */
  async rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    await this.#run([command('ROLLBACK')]);
    this.#isOpen = false;
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.connection.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.connection.resume();
  }

  /**
   * Asks the database to stop. The running and all following statements reject with `cancelled`.
   */
  cancel(): void {
    this.#interrupt('cancelled');
  }

  expire(): void {
    this.#interrupt('statement-timeout');
  }

  /** Nothing may be running on the connection. Destroys it if others cannot use it. */
  release(): void {
    this.resume();
    // Rows that nobody needs are being stopped, which must not hit the next statement.
    if (this.connection.isStopping) this.#stopping ??= this.connection.stop();
    if (this.#stopping === undefined && this.connection.inFlight === 0 && !this.#isOpen)
      this.#give();
    else void this.#comeToRest().then(() => this.#give());
  }

  /** For databases that continue after a failure: the commit waits until everything has succeeded. */
  async #writeInParts(statements: readonly Statement[], isExplained: boolean): Promise<Written[]> {
    const { transactions } = this.#owner.driver;
    const { savepoint } = transactions;
    const before = isExplained && savepoint !== undefined ? [command(savepoint)] : [];
    const results: Written[] = [];
    for (const part of transactions.parts?.(statements) ?? [statements]) {
      const own = writing(part);
      try {
        await this.#run(this.#opened([...before, ...own.steps]));
      } catch (fault) {
        const failed = { statements: part, isUndone: false };
        const error = isExplained ? await this.#explained(fault, failed) : fault;
        throw movedBy(error, results.length);
      }
      results.push(...own.results);
    }
    return results;
  }

  async #commitOpen(steps: readonly Step[]): Promise<void> {
    await this.#run([...steps, command('COMMIT')], true);
    this.#isOpen = false;
  }

  #explained(error: unknown, failed: FailedWrite): Promise<unknown> {
    return this.#owner.driver.explain(this, error, failed);
  }

  #opened(steps: readonly Step[]): readonly Step[] {
    if (this.#isOpen) return steps;
    this.#isOpen = true;
    return [...this.#owner.driver.transactions.begin(this.#mode).map(command), ...steps];
  }

  async #run(plain: readonly Step[], isCommit = false): Promise<void> {
    const { comment } = this.#owner;
    const steps = comment === undefined ? plain : plain.map((step) => commented(step, comment));
    // Rows that nobody needs any more are cancelled, which must not hit these statements.
    if (this.connection.isStopping && !this.#interruption) await this.connection.stop();
    if (this.#interruption) throw new SourceError(this.#interruption);
    this.#owner.deadline.start(this);
    try {
      await new Promise<void>((resolve, reject) => {
        const end = (error: unknown): void => (error === undefined ? resolve() : reject(error));
        this.#running = { steps, isCommit, isOnce: this.#owner.isOnce, end };
        this.connection.send(this.#running);
        this.connection.flush();
      });
      if (this.#interruption && !isCommit) throw new SourceError(this.#interruption);
    } catch (error) {
      const fault = this.#refused(error);
      throw this.#interruption ? this.#interrupted(fault) : amongStatements(fault, steps);
    } finally {
      this.#owner.deadline.stop(this);
      this.#running = undefined;
    }
  }

  /**
   * Records whether the server refuses all work, not just this statement. In a read-only transaction, a
   * refused write says nothing about the server.
   */
  #refused(error: unknown): unknown {
    if (!(error instanceof SourceError)) return error;
    const { code, sqlstate, at, cause } = error;
    const isReadOnly = code === 'write-in-read-only' && this.#mode?.readOnly !== true;
    this.#isRefused ||= isReadOnly || code === 'source-unavailable';
    return isReadOnly ? new SourceError('source-read-only', { sqlstate, at, cause }) : error;
  }

  #interrupted(cause: unknown): unknown {
    if (!(cause instanceof SourceError) || !this.#interruption) return cause;
    if (cause.code === 'outcome-unknown') return cause;
    return new SourceError(this.#interruption, { sqlstate: cause.sqlstate, cause: cause.cause });
  }

  #interrupt(interruption: Interruption): void {
    this.#interruption ??= interruption;
    const running = this.#running;
    if (!running || this.#stopping) return;
    // The outcome of an interrupted commit would be unknown, so only its time limit interrupts it.
    const isOnlyCommit = running.isCommit && running.steps.every(isCommand);
    if (isOnlyCommit && interruption === 'cancelled') return;
    this.resume();
    this.#stopping = this.connection.stop();
    if (!running.isCommit) this.connection.abandon(running, new SourceError(interruption));
    else if (interruption === 'statement-timeout') void this.#awaitOutcome(running);
  }

  /** Whether an interrupted commit took effect, the database tells, if it answers in time. */
  async #awaitOutcome(commit: Run): Promise<void> {
    const timer = setTimeout(
      () => this.connection.abandon(commit, new SourceError('outcome-unknown')),
      OUTCOME_MS,
    );
    await this.#stopping;
    clearTimeout(timer);
  }

  async #comeToRest(): Promise<void> {
    if (this.connection.inFlight > 0) this.#stopping ??= this.connection.stop();
    await this.#stopping;
    if (!this.#isOpen || !this.connection.isAlive) return;
    const timer = setTimeout(() => this.connection.destroy(), REST_MS);
    await new Promise<void>((resolve) => {
      this.connection.send({ steps: [command('ROLLBACK')], end: () => resolve() });
      this.connection.flush();
    });
    clearTimeout(timer);
  }

  #give(): void {
    const { isAlive, isInTransaction } = this.connection;
    this.#owner.give(this.connection, isAlive && !isInTransaction && !this.#isRefused);
  }
}

const GUARD = 'SAVEPOINT rowgate_guard';

/** The steps with a savepoint before them, which their success releases. */
function guarded(steps: readonly Step[]): readonly Step[] {
  return [command(GUARD), ...steps, command(`RELEASE ${GUARD}`)];
}

/** How long a commit may take to stop after its time limit, before its outcome is reported as unknown. */
const OUTCOME_MS = 750;
/** How long a rollback may take before the connection is destroyed. */
const REST_MS = 2000;

/** Commands, such as COMMIT, need no comment. */
function commented(step: Step, comment: string): Step {
  const { statement } = step;
  if (statement === undefined || statement.isCommand === true) return step;
  return { ...step, statement: { ...statement, text: `${statement.text} ${comment}` } };
}

/**
 * Adds the index of the failed statement among the statements of the steps, not counting commands.
 */
function amongStatements(error: unknown, steps: readonly Step[]): unknown {
  if (!(error instanceof SourceError) || !error.at) return error;
  const before = steps.slice(0, error.at.statement);
  return movedBy(error, -before.filter(isCommand).length);
}

function isCommand({ statement }: Step): boolean {
  return statement?.isCommand === true;
}

/** Moves the index of the failed statement by this many statements. */
function movedBy(error: unknown, count: number): unknown {
  if (!(error instanceof SourceError) || !error.at || count === 0) return error;
  return error.with({ at: { ...error.at, statement: error.at.statement + count } });
}

function writing(statements: readonly Statement[]) {
  const results: Written[] = [];
  const steps = statements.map((statement): Step => {
    const result = new WrittenRows(statement.rowBytesMax);
    results.push(result);
    return { statement, rowsMax: 0, sink: result };
  });
  return { steps, results };
}

const TOO_MANY =
  'The write needs more rows in memory than --transaction-answer-max allows, so nothing is stored. Write fewer rows at a time.';

/** Collects what a writing statement returns. */
class WrittenRows implements RowSink, Written {
  readonly rows = new RowBytes();
  count = 0;
  insertedKey: number | undefined;
  readonly #budget: ByteBudget | undefined;

  constructor(bytesMax: number | undefined) {
    this.#budget = bytesMax === undefined ? undefined : new ByteBudget(bytesMax, TOO_MANY);
  }

  row(bytes: Buffer, start: number): void {
    this.#budget?.take(rowLength(bytes, start));
    sharedMemory.keep(this.rows, bytes, start);
  }

  inserted(key: number): void {
    this.insertedKey = key;
  }

  complete(count: number): void {
    this.count = count;
  }
}
