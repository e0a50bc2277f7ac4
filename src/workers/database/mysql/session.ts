/**
 * A session on MySQL or MariaDB: statements are prepared, the commands of a round are one write, and
 * rows are re-written, not parsed. A read in windows is a cursor of the server's, so that others can
 * run beside it.
 */
import { type Fields, RowBytes } from '../../engine/index.js';
import type { MysqlConnection } from './mysql-connection.js';
import { INTERRUPTED, mysqlError, ServerFault } from './mysql-errors.js';
import type { MysqlKiller } from './mysql-killer.js';
import { PacketWriter } from './mysql-packets.js';
import type { MysqlRound, Prepared, Step, TakeRow } from './mysql-round.js';
import { MysqlWrites } from './mysql-writes.js';
import { SourceError } from './source-error.js';
import type {
  ByteBudget,
  ByteSink,
  RowSink,
  Statement,
  TransactionMode,
  TransactionSession,
  ByteWindow,
  RowWindow,
  Written,
} from './source.js';
import type { WorkClock } from './work-clock.js';

/** How long a connection may take to come to rest before it is broken off. */
const REST_MS = 2000;

const writer = new PacketWriter();

/** Where a session comes from and goes back to. */
export interface SessionHome {
  readonly clock: WorkClock;
  readonly killer: MysqlKiller;
  /** Takes the connection back; `isFit`: it may serve others. */
  giveBack(connection: MysqlConnection, isFit: boolean): void;
}

export class MysqlSession implements TransactionSession {
  readonly #connection: MysqlConnection;
  readonly #home: SessionHome;
  #round: MysqlRound | undefined;
  #interruption: 'cancelled' | 'statement-timeout' | undefined;
  /** While the connection comes to rest after an interruption. */
  #rest: Promise<void> | undefined;
  #isPaused = false;
  /** The statement whose cursor is open. */
  #root: Prepared | undefined;
  readonly #writes: MysqlWrites;

  constructor(connection: MysqlConnection, home: SessionHome, mode?: TransactionMode) {
    this.#connection = connection;
    this.#home = home;
    this.#writes = new MysqlWrites(
      (commands, statements) => this.#runWrites(commands, statements),
      mode,
    );
  }

  /** Of the clock: whether the server owes an answer that we read as it comes. */
  get isWorking(): boolean {
    return !this.#isPaused && this.#round?.isWaiting === true;
  }

  async stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void> {
    const take: TakeRow = (bytes, start) => sink(fieldsOf(bytes, start));
    await this.#runAll([statement], [limited(take, rowsMax)], true);
  }

  async streamBytes(statement: Statement, rowsMax: number, sink: ByteSink): Promise<void> {
    await this.#runAll([statement], [limited(sink, rowsMax)], true);
  }

  pause(): void {
    this.#isPaused = true;
    this.#connection.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection.resume();
  }

  async open(statement: Statement, windowRows: number): Promise<RowWindow> {
    const { rows, ended } = await this.openBytes(statement, windowRows);
    return { rows: allFields(rows), ended };
  }

  async next(windowRows: number): Promise<RowWindow> {
    const { rows, ended } = await this.nextBytes(windowRows);
    return { rows: allFields(rows), ended };
  }

  async openBytes(statement: Statement, windowRows: number): Promise<ByteWindow> {
    await this.#writes.begin();
    const [prepared] = await this.#prepare([statement]);
    if (!prepared) throw new SourceError('internal');
    writer.execute(prepared.id, statement, true);
    writer.fetch(prepared.id, windowRows);
    const rows = new RowBytes();
    const take: TakeRow = (bytes, start) => rows.push(bytes, start);
    this.#root = prepared;
    const suspended = await this.#send([
      { kind: 'execute', prepared, take, isPassing: false },
      { kind: 'fetch', prepared, take, isPassing: false },
    ]);
    return { rows, ended: !suspended };
  }

  async nextBytes(windowRows: number): Promise<ByteWindow> {
    this.#refuseInterrupted();
    const prepared = this.#root;
    if (!prepared) throw new SourceError('internal');
    writer.clear();
    writer.fetch(prepared.id, windowRows);
    const rows = new RowBytes();
    const take: TakeRow = (bytes, start) => rows.push(bytes, start);
    const suspended = await this.#send([{ kind: 'fetch', prepared, take, isPassing: false }]);
    return { rows, ended: !suspended };
  }

  async fetchBytes(
    statements: readonly Statement[],
    rowsMax: number,
    _last: boolean,
    budget?: ByteBudget,
  ): Promise<readonly RowBytes[]> {
    const results = statements.map(() => new RowBytes());
    const takes = results.map((rows) => limited(collector(rows, budget), rowsMax));
    await this.#runAll(statements, takes, false);
    return results;
  }

  async fetch(statements: readonly Statement[], rowsMax: number): Promise<Fields[][]> {
    const results = statements.map((): Fields[] => []);
    const takes = results.map((rows) =>
      limited((bytes, start) => rows.push(fieldsOf(bytes, start)), rowsMax),
    );
    await this.#runAll(statements, takes, true);
    return results;
  }

  write(statements: readonly Statement[], last: boolean): Promise<Written[]> {
    return this.#writes.write(statements, last);
  }

  async commit(statements: readonly Statement[] = []): Promise<void> {
    await this.write(statements, true);
    await this.#writes.commit();
  }

  rollBack(): Promise<void> {
    return this.#writes.rollBack();
  }

  cancel(): void {
    this.#interrupt('cancelled');
  }

  expire(): void {
    this.#interrupt('statement-timeout');
  }

  release(): void {
    this.resume();
    const isAtRest = this.#rest === undefined && this.#round === undefined;
    if (isAtRest && this.#root === undefined && !this.#writes.isOpen) {
      this.#giveBack();
    } else void this.#comeToRest().then(() => this.#giveBack());
  }

  /** Runs statements in one round trip, each to its end. */
  async #runAll(
    statements: readonly Statement[],
    takes: readonly TakeRow[],
    isPassing: boolean,
  ): Promise<void> {
    await this.#writes.begin();
    const prepared = await this.#prepare(statements);
    const steps: Step[] = [];
    for (const [index, statement] of statements.entries()) {
      const known = prepared[index];
      const take = takes[index];
      if (!known || !take) throw new SourceError('internal');
      writer.execute(known.id, statement, false);
      steps.push({ kind: 'execute', prepared: known, take, isPassing });
    }
    await this.#send(steps);
  }

  /** Runs commands, and statements that write, in one round trip. */
  async #runWrites(
    commands: readonly string[],
    statements: readonly Statement[],
  ): Promise<Written[]> {
    const prepared = await this.#prepare(statements);
    const rows = statements.map((): Fields[] => []);
    const counts: number[] = [];
    const steps: Step[] = commands.map(() => aside('query'));
    for (const command of commands) writer.query(command);
    for (const [index, statement] of statements.entries()) {
      const known = prepared[index];
      if (!known) throw new SourceError('internal');
      writer.execute(known.id, statement, false);
      const take: TakeRow = (bytes, start) => rows[index]?.push(fieldsOf(bytes, start));
      const wrote = (count: number): void => {
        counts[index] = count;
      };
      steps.push({ kind: 'execute', prepared: known, take, isPassing: true, wrote });
    }
    await this.#send(steps, commands.length);
    return rows.map((own, index) => ({ rows: own, count: counts[index] ?? own.length }));
  }

  /** What is not known yet takes a round trip of its own, once a connection. */
  #prepare(statements: readonly Statement[]): Promise<readonly Prepared[]> | readonly Prepared[] {
    this.#refuseInterrupted();
    writer.clear();
    const known: Prepared[] = [];
    for (const { text } of statements) {
      const one = this.#connection.known(text);
      if (!one) return this.#prepareMissing(statements);
      known.push(one);
    }
    return known;
  }

  async #prepareMissing(statements: readonly Statement[]): Promise<readonly Prepared[]> {
    try {
      const prepared: Prepared[] = [];
      for (const { text } of statements) {
        prepared.push(this.#connection.known(text) ?? (await this.#connection.prepare(text)));
      }
      this.#refuseInterrupted();
      writer.clear();
      return prepared;
    } catch (error) {
      throw mysqlError(error);
    }
  }

  #refuseInterrupted(): void {
    if (this.#interruption) throw new SourceError(this.#interruption);
  }

  /**
   * Sends what was written, as one piece, and waits for the answers to it; the first so many steps
   * are no statements.
   */
  async #send(steps: readonly Step[], commands = 0): Promise<boolean> {
    const round = this.#connection.run(writer.take(), steps, () => this.#stopSurplus());
    this.#round = round;
    this.#home.clock.start(this);
    try {
      const suspended = await round.answered;
      this.#refuseInterrupted();
      return suspended;
    } catch (error) {
      throw this.#roundError(error, round.failedStep - commands);
    } finally {
      this.#home.clock.stop(this);
      this.#round = undefined;
    }
  }

  #roundError(error: unknown, statement: number): unknown {
    if (!(error instanceof SourceError)) return error;
    if (error.code === 'statement-stale') this.#connection.forgetStatements();
    const { code, sqlstate, violation, cause } = error;
    if (this.#interruption) return new SourceError(this.#interruption, { sqlstate, cause });
    const at = statement < 0 ? undefined : { statement, row: 0 };
    return new SourceError(code, { sqlstate, violation, at, cause });
  }

  #interrupt(interruption: 'cancelled' | 'statement-timeout'): void {
    if (this.#interruption) return;
    this.#interruption = interruption;
    if (!this.#round?.isWaiting) return;
    this.#round.dropRows();
    this.resume();
    this.#kill();
  }

  /** Rows that nobody wants: what has failed already stays the failure. */
  #stopSurplus(): void {
    this.#kill();
  }

  #kill(): void {
    this.#rest ??= this.#home.killer.kill(this.#connection.threadId);
  }

  /** Until the connection is free of cursors, and of an interruption that has come too late. */
  async #comeToRest(): Promise<void> {
    const timer = setTimeout(() => this.#connection.destroy(), REST_MS);
    try {
      await this.#round?.answered.catch(() => undefined);
      await this.#rest;
      if (this.#rest) await this.#takeInterruption();
      if (this.#root) await this.#closeCursor(this.#root);
      if (this.#writes.isOpen) await this.#command('ROLLBACK');
    } catch {
      this.#connection.destroy();
    } finally {
      clearTimeout(timer);
    }
  }

  /** An interruption that finds nothing running may strike the next statement: this one. */
  async #takeInterruption(): Promise<void> {
    let isLate = true;
    while (isLate) isLate = await this.#command('DO 0').then(() => false, wasInterrupted);
  }

  async #command(text: string): Promise<void> {
    writer.clear();
    writer.query(text);
    await this.#connection.run(writer.take(), [aside('query')], () => undefined).answered;
  }

  async #closeCursor({ id }: Prepared): Promise<void> {
    writer.clear();
    writer.reset(id);
    await this.#connection.run(writer.take(), [aside('query')], () => undefined).answered;
  }

  #giveBack(): void {
    this.#home.giveBack(this.#connection, this.#connection.isAlive);
  }
}

function aside(kind: Step['kind']): Step {
  return { kind, take: () => undefined, isPassing: true };
}

/** Any other fault is thrown. */
function wasInterrupted(error: unknown): boolean {
  const cause = error instanceof SourceError ? error.cause : undefined;
  if (cause instanceof ServerFault && cause.errno === INTERRUPTED) return true;
  throw error;
}

/** At most so many rows (0: all); the others are passed over. */
function limited(take: TakeRow, rowsMax: number): TakeRow {
  if (rowsMax === 0) return take;
  let left = rowsMax;
  return (bytes, start) => {
    if (left === 0) return;
    left -= 1;
    take(bytes, start);
  };
}

function collector(rows: RowBytes, budget: ByteBudget | undefined): TakeRow {
  if (!budget) return (bytes, start) => rows.push(bytes, start);
  return (bytes, start) => {
    budget.take(bytes.readInt32BE(start - 4));
    rows.push(bytes, start);
  };
}

function allFields(rows: RowBytes): Fields[] {
  const all: Fields[] = [];
  for (const [index, start] of rows.starts.entries()) {
    const bytes = rows.buffers[index];
    if (bytes) all.push(fieldsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), start));
  }
  return all;
}

/** The texts of a row. */
function fieldsOf(bytes: Buffer, start: number): Fields {
  const fields: (string | null)[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  for (let i = 0; i < count; i += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return fields;
}
