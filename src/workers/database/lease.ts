/**
 * A connection that one request holds until it is done: for statements that are long or large, for
 * transactions, streams, imports and exports. What fails rejects with a `SourceError`.
 */
import { RowBytes } from '../../engine/index.js';
import type { Connection, TransactionDialect, TransactionMode } from './connection.js';
import type { Deadline, Timed } from './deadline.js';
import { SourceError } from './source-error.js';
import {
  type ByteBudget,
  keepRows,
  noRows,
  type RowSink,
  type Run,
  type Statement,
  type Step,
  type Written,
} from './statement.js';

/** Where a lease comes from. */
export interface LeaseOwner {
  readonly transactions: TransactionDialect;
  readonly deadline: Deadline;
  /** Whether no statement is worth keeping prepared. */
  readonly isOnce?: boolean;
  /** Says more about the failure of a write: which row, which key. Called before all is undone. */
  readonly explain?:
    | ((lease: Lease, error: unknown, failed: FailedWrite) => Promise<unknown>)
    | undefined;
  /** Takes the connection back; `isFit`: it may serve others. */
  give(connection: Connection, isFit: boolean): void;
}

/** A write that failed. */
export interface FailedWrite {
  readonly statements: readonly Statement[];
  /** Whether the statements were no part of a transaction, so that nothing of them is left. */
  readonly isUndone: boolean;
  /** Whether it is worth finding out which row the failure is about. */
  readonly isExplained: boolean;
}

type Interruption = 'cancelled' | 'statement-timeout';

export class Lease implements Timed {
  readonly connection: Connection;
  readonly #owner: LeaseOwner;
  /** Set where everything is one transaction, ended by `commit`; otherwise a write with `last` ends one. */
  readonly #mode: TransactionMode | undefined;
  #isOpen = false;
  #running: Run | undefined;
  #interruption: Interruption | undefined;
  #stopping: Promise<void> | undefined;
  #isPaused = false;
  /** Whether the server has said that it does not do its work: another connection may reach one that does. */
  #isRefused = false;

  constructor(connection: Connection, owner: LeaseOwner, mode?: TransactionMode) {
    this.connection = connection;
    this.#owner = owner;
    this.#mode = mode;
  }

  /** Of the deadline: whether the database owes an answer that is read as it comes. */
  get isWorking(): boolean {
    return !this.#isPaused && this.#running !== undefined;
  }

  /** Runs steps to their end; a cursor among them belongs to a transaction, which begins with it. */
  async run(steps: readonly Step[]): Promise<void> {
    const needsTransaction = this.#mode !== undefined || steps.some(({ isCursor }) => isCursor);
    await this.#run(needsTransaction ? this.#opened(steps) : steps);
  }

  /** Streams the rows of a statement; at most `rowsMax` (0: all). */
  stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void> {
    return this.run([{ statement, rowsMax, sink }]);
  }

  /** Runs statements in one round trip and keeps their rows. */
  async fetch(
    statements: readonly Statement[],
    rowsMax = 0,
    budget?: ByteBudget,
  ): Promise<readonly RowBytes[]> {
    const results = statements.map(() => new RowBytes());
    await this.run(
      statements.map((statement, index) => ({
        statement,
        rowsMax,
        sink: keepRows(results[index] ?? new RowBytes(), budget),
      })),
    );
    return results;
  }

  /**
   * Runs statements that write, in one round trip. Writes up to the one with `last` are one transaction, which
   * that one commits; without it, `release` undoes everything. With a mode, `commit` does. `isExplained`:
   * whether it is worth finding out which row a failure is about.
   */
  async write(
    statements: readonly Statement[],
    last: boolean,
    { isExplained = true } = {},
  ): Promise<readonly Written[]> {
    const commits = last && !this.#mode;
    if (statements.length === 0 && !commits) return [];
    const { failsRunsWhole } = this.#owner.transactions;
    const isAlone = commits && !this.#isOpen && (failsRunsWhole || statements.length <= 1);
    if (!isAlone && !failsRunsWhole)
      return this.#writeInParts(statements, { commits, isExplained });
    const { steps, results } = writing(statements);
    await this.#explained({ statements, isUndone: isAlone, isExplained }, () => {
      if (isAlone) return this.#run(steps, true);
      const opened = this.#opened(steps);
      return commits ? this.#run([...opened, command('COMMIT')], true) : this.#run(opened);
    });
    if (commits && !isAlone) this.#isOpen = false;
    return results;
  }

  /** Runs these statements, and commits. */
  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (!this.#isOpen && statements.length === 0) return;
    const { steps } = writing(statements);
    if (this.#owner.transactions.failsRunsWhole) {
      await this.#run([...this.#opened(steps), command('COMMIT')], true);
    } else {
      await this.#run(this.#opened(steps));
      await this.#run([command('COMMIT')], true);
    }
    this.#isOpen = false;
  }

  /** Begins a transaction without a word, unless one is open. */
  async begin(): Promise<void> {
    if (!this.#isOpen) await this.#run(this.#opened([]));
  }

  /** Undoes everything; what failed before does not matter. */
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

  /** Asks the database to stop; what runs rejects with `cancelled`, as does whatever would follow. */
  cancel(): void {
    this.#interrupt('cancelled');
  }

  expire(): void {
    this.#interrupt('statement-timeout');
  }

  /** Gives the connection back once it is fit for others, or destroys it. Nothing may be awaited of it. */
  release(): void {
    this.resume();
    if (this.#stopping === undefined && this.connection.inFlight === 0 && !this.#isOpen)
      this.#give();
    else void this.#comeToRest().then(() => this.#give());
  }

  /** Where a failure does not keep the statements behind it from running, the commit waits for all of them. */
  async #writeInParts(
    statements: readonly Statement[],
    { commits, isExplained }: { readonly commits: boolean; readonly isExplained: boolean },
  ): Promise<Written[]> {
    const { transactions } = this.#owner;
    const { savepoint } = transactions;
    const before = isExplained && savepoint !== undefined ? [command(savepoint)] : [];
    const results: Written[] = [];
    for (const part of transactions.parts?.(statements) ?? [statements]) {
      const own = writing(part);
      try {
        await this.#explained({ statements: part, isUndone: false, isExplained }, () =>
          this.#run(this.#opened([...before, ...own.steps])),
        );
      } catch (error) {
        throw movedBy(error, results.length);
      }
      results.push(...own.results);
    }
    if (commits) {
      await this.#run([command('COMMIT')], true);
      this.#isOpen = false;
    }
    return results;
  }

  async #explained(write: FailedWrite, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!write.isExplained) throw error;
      throw (await this.#owner.explain?.(this, error, write)) ?? error;
    }
  }

  #opened(steps: readonly Step[]): readonly Step[] {
    if (this.#isOpen) return steps;
    this.#isOpen = true;
    return [...this.#owner.transactions.begin(this.#mode).map(command), ...steps];
  }

  async #run(steps: readonly Step[], isCommit = false): Promise<void> {
    if (this.#interruption) throw new SourceError(this.#interruption);
    this.#owner.deadline.start(this);
    try {
      await new Promise<void>((resolve, reject) => {
        const end = (error: unknown): void => (error === undefined ? resolve() : reject(error));
        this.#running = { steps, isCommit, isOnce: this.#owner.isOnce === true, end };
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

  /** Notes whether the server refuses more than this work; of a transaction that is to read, it does not. */
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
    // Whether a commit by itself took effect would not be known: only its time limit interrupts it.
    const isOnlyCommit = running.isCommit && running.steps.every(isCommand);
    if (isOnlyCommit && interruption === 'cancelled') return;
    this.resume();
    this.#stopping = this.connection.stop();
    // Of a commit the database has the last word; anything else is answered now.
    if (!running.isCommit) this.connection.abandon(running, new SourceError(interruption));
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

/** How long undoing may take before the connection is broken off. */
const REST_MS = 2000;

/** A statement without parameters or rows. */
function command(text: string): Step {
  return { statement: { text, parameters: [], isCommand: true }, rowsMax: 0, sink: noRows };
}

/** The error with its place among the statements of the steps; commands do not count. */
function amongStatements(error: unknown, steps: readonly Step[]): unknown {
  if (!(error instanceof SourceError) || !error.at) return error;
  const before = steps.slice(0, error.at.statement);
  return movedBy(error, -before.filter(isCommand).length);
}

function isCommand({ statement }: Step): boolean {
  return statement?.isCommand === true;
}

/** The error with its place behind so many further statements. */
function movedBy(error: unknown, count: number): unknown {
  if (!(error instanceof SourceError) || !error.at || count === 0) return error;
  return error.placedAt({ ...error.at, statement: error.at.statement + count });
}

/** Steps that write, and what they will have done. */
function writing(statements: readonly Statement[]) {
  const results: Written[] = [];
  const steps = statements.map((statement): Step => {
    const result = new WrittenRows();
    results.push(result);
    return { statement, rowsMax: 0, sink: result };
  });
  return { steps, results };
}

/** Keeps what a statement that writes returns. */
class WrittenRows implements RowSink, Written {
  readonly keepsRows = true;
  readonly rows = new RowBytes();
  count = 0;

  row(bytes: Buffer, start: number): void {
    this.rows.push(bytes, start);
  }

  complete(count: number): void {
    this.count = count;
  }
}
