/** A session on PostgreSQL: what the messages of its conversation are, and how it is interrupted. */
import { type Fields, invariant, RowBytes } from '../../engine/index.js';
import { cancelUntilAnswered } from './cancel-until-answered.js';
import { sendCancel } from './postgresql-cancel.js';
import type { PostgresqlConnection } from './postgresql-connection.js';
import type { Conversation, StepSink } from './postgresql-conversation.js';
import { MessageWriter } from './postgresql-messages.js';
import { SourceError } from './source-error.js';
import type {
  ByteBudget,
  ByteSink,
  ByteWindow,
  Isolation,
  RowSink,
  RowWindow,
  Statement,
  TransactionMode,
  TransactionSession,
  Written,
} from './source.js';
import type { WorkClock } from './work-clock.js';

/** How long a cancelled connection may take to come to rest before it is broken off. */
const REST_MS = 2000;
/** The portal of an open read. */
const ROOT = 'root';

const writer = new MessageWriter();

/** Where a session comes from and goes back to. */
export interface SessionHome {
  readonly clock: WorkClock;
  /** Takes the connection back; `isFit`: it may serve others. */
  giveBack(connection: PostgresqlConnection, isFit: boolean): void;
}

export class PostgresqlSession implements TransactionSession {
  readonly #connection: PostgresqlConnection;
  readonly #home: SessionHome;
  /** Set where everything is one transaction; else each round with `last` ends one. */
  readonly #mode: TransactionMode | undefined;
  /** Of a transaction with a mode: whether it has begun, and not ended. */
  #isOpen = false;
  /** Whether the round that is put together begins with BEGIN. */
  #isOpening = false;
  /** Whether a portal is left of an earlier read: without a mode it ends with its round. */
  #hasPortal = false;
  #conversation: Conversation | undefined;
  #interruption: 'cancelled' | 'statement-timeout' | undefined;
  /** While the connection comes to rest after an interruption. */
  #rest: Promise<void> | undefined;
  #isPaused = false;
  /** Whether rounds that wrote wait for the one that commits. */
  #isUncommitted = false;

  constructor(connection: PostgresqlConnection, home: SessionHome, mode?: TransactionMode) {
    this.#connection = connection;
    this.#home = home;
    this.#mode = mode;
  }

  /** Of the clock: whether the server owes an answer that we read as it comes. */
  get isWorking(): boolean {
    return !this.#isPaused && this.#conversation?.isWaiting === true;
  }

  async stream(statement: Statement, rowsMax: number, sink: RowSink): Promise<void> {
    this.#begin();
    this.#write(statement, '', rowsMax);
    await this.#round([{ kind: 'fields', take: sink }], true);
  }

  async streamBytes(statement: Statement, rowsMax: number, sink: ByteSink): Promise<void> {
    this.#begin();
    this.#write(statement, '', rowsMax);
    await this.#round([{ kind: 'bytes', take: sink, keeps: false }], true);
  }

  pause(): void {
    this.#isPaused = true;
    this.#connection.client.connection.stream.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#connection.client.connection.stream.resume();
  }

  async open(statement: Statement, windowRows: number): Promise<RowWindow> {
    this.#begin();
    this.#writeOpening(statement, windowRows);
    return this.#window();
  }

  async next(windowRows: number): Promise<RowWindow> {
    this.#begin();
    writer.execute(ROOT, windowRows);
    return this.#window();
  }

  async openBytes(statement: Statement, windowRows: number): Promise<ByteWindow> {
    this.#begin();
    this.#writeOpening(statement, windowRows);
    return this.#byteWindow();
  }

  async nextBytes(windowRows: number): Promise<ByteWindow> {
    this.#begin();
    writer.execute(ROOT, windowRows);
    return this.#byteWindow();
  }

  async fetchBytes(
    statements: readonly Statement[],
    rowsMax: number,
    last: boolean,
    budget?: ByteBudget,
  ) {
    this.#begin();
    const results = statements.map(() => new RowBytes());
    for (const statement of statements) this.#write(statement, '', rowsMax);
    const sinkOf = budget ? collectWithin(budget) : collectBytes;
    await this.#round(results.map(sinkOf), last);
    return results;
  }

  async fetchAheadBytes(statements: readonly Statement[], rowsMax: number, windowRows: number) {
    this.#begin();
    const results = statements.map(() => new RowBytes());
    for (const statement of statements) this.#write(statement, '', rowsMax);
    writer.execute(ROOT, windowRows);
    const rows = new RowBytes();
    const suspended = await this.#round([...results, rows].map(collectBytes), false);
    return { results, next: { rows, ended: !suspended } };
  }

  async fetch(statements: readonly Statement[], rowsMax: number, last: boolean) {
    this.#begin();
    const results = statements.map((): Fields[] => []);
    for (const statement of statements) this.#write(statement, '', rowsMax);
    await this.#round(results.map(collect), last);
    return results;
  }

  async write(statements: readonly Statement[], last: boolean): Promise<Written[]> {
    // The server has nothing to answer, and would be waited for.
    if (statements.length === 0 && !last) return [];
    this.#begin();
    this.#isUncommitted = !this.#mode;
    const results = statements.map((): Fields[] => []);
    const counts: number[] = [];
    for (const statement of statements) this.#write(statement, '', 0);
    await this.#round(results.map(collect), last, counts);
    this.#isUncommitted = !last && !this.#mode;
    return results.map((rows, index) => ({ rows, count: counts[index] ?? 0 }));
  }

  async commit(statements: readonly Statement[] = []): Promise<void> {
    if (!this.#isOpen && statements.length === 0) return;
    invariant(this.#mode, 'a session of a transaction');
    this.#begin();
    // COMMIT of a failed transaction is a ROLLBACK that tells of no error; what has failed is synced.
    const isKnown = !this.#isOpening && !this.#conversation;
    const status = this.#connection.client.getTransactionStatus();
    invariant(!isKnown || status === 'T', 'what is committed has not failed');
    for (const statement of [...statements, COMMIT]) this.#write(statement, '', 0);
    await this.#round(
      [...statements, COMMIT].map(() => IGNORED),
      true,
    );
    this.#isOpen = false;
  }

  async rollBack(): Promise<void> {
    if (!this.#isOpen) return;
    this.#conversation?.sync();
    await this.#conversation?.whenOver();
    this.#conversation = undefined;
    this.#begin();
    this.#write(ROLLBACK, '', 0);
    await this.#round([IGNORED], true);
    this.#isOpen = false;
  }

  cancel(): void {
    this.#interrupt('cancelled');
  }

  expire(): void {
    this.#interrupt('statement-timeout');
  }

  release(): void {
    this.resume();
    if (this.#isUncommitted) this.#rollBack();
    else this.#conversation?.sync();
    const isResting = this.#rest !== undefined || this.#conversation?.isOver === false;
    if (!isResting && !this.#isOpen) this.#giveBack();
    else void this.#comeToRest().then(() => this.#giveBack());
  }

  /** All since the last Sync is one transaction, without a BEGIN (manual, 55.2.4): undone as such. */
  #rollBack(): void {
    writer.clear();
    this.#write(ROLLBACK, '', 0);
    writer.sync();
    this.#conversation?.rollBack(writer.take());
  }

  /** Of a transaction with a mode, once the conversation is over: its end, whatever has failed. */
  async #rollBackOpen(): Promise<void> {
    if (!this.#isOpen || !this.#connection.isAlive) return;
    this.#conversation = this.#connection.converse();
    this.#rollBack();
    await this.#conversation.whenOver();
  }

  /** Before anything is written: what was prepared but never sent would be taken for known. */
  #begin(): void {
    this.#refuseInterrupted();
    writer.clear();
    this.#isOpening = this.#mode !== undefined && !this.#isOpen;
    if (!this.#mode || !this.#isOpening) return;
    this.#write({ text: beginText(this.#mode), parameters: [] }, '', 0);
    this.#isOpen = true;
    this.#hasPortal = false;
  }

  /** A portal lives as long as its transaction, and its name is taken until it is closed. */
  #writeOpening(statement: Statement, windowRows: number): void {
    if (this.#hasPortal) this.#connection.statements.closePortal(ROOT, writer);
    this.#hasPortal = this.#mode !== undefined;
    this.#write(statement, ROOT, windowRows);
  }

  #refuseInterrupted(): void {
    if (this.#interruption) throw new SourceError(this.#interruption);
  }

  #write(statement: Statement, portal: string, rowsMax: number): void {
    const name = this.#connection.statements.prepare(statement.text, writer);
    writer.bind(portal, name, statement.parameters);
    writer.execute(portal, rowsMax);
  }

  async #window(): Promise<RowWindow> {
    const rows: Fields[] = [];
    const suspended = await this.#round([collect(rows)], false);
    return { rows, ended: !suspended };
  }

  async #byteWindow(): Promise<ByteWindow> {
    const rows = new RowBytes();
    const suspended = await this.#round([collectBytes(rows)], false);
    return { rows, ended: !suspended };
  }

  /** Sends what was written, as one piece, and waits for the answers to it. */
  async #round(own: readonly StepSink[], last: boolean, counts?: number[]): Promise<boolean> {
    const sinks = this.#isOpening ? [IGNORED, ...own] : own;
    if (last) writer.sync();
    else writer.flush();
    const bytes = writer.take();
    this.#conversation ??= this.#connection.converse();
    this.#home.clock.start(this);
    try {
      const suspended = await this.#conversation.round({
        bytes,
        sinks,
        last,
        ...(counts && { counts }),
      });
      if (this.#isOpening) counts?.shift();
      this.#isOpening = false;
      this.#refuseInterrupted();
      return suspended;
    } catch (error) {
      throw this.#roundError(error);
    } finally {
      this.#home.clock.stop(this);
      if (this.#conversation.isOver) this.#conversation = undefined;
    }
  }

  #roundError(error: unknown): unknown {
    if (!(error instanceof SourceError)) return error;
    if (error.code === 'statement-stale') this.#connection.statements.forgetAll();
    const { sqlstate, cause } = error;
    return this.#interruption ? new SourceError(this.#interruption, { sqlstate, cause }) : error;
  }

  #interrupt(interruption: 'cancelled' | 'statement-timeout'): void {
    if (this.#interruption) return;
    this.#interruption = interruption;
    const conversation = this.#conversation;
    if (!conversation?.isWaiting) return;
    conversation.dropRows();
    this.resume();
    this.#rest = this.#interruptServer(conversation);
  }

  /** Until the server has closed the cancel socket, the interrupt may still hit whatever runs. */
  async #interruptServer(conversation: Conversation): Promise<void> {
    const timer = setTimeout(() => this.#connection.destroy(), REST_MS);
    const { client } = this.#connection;
    await cancelUntilAnswered(() => sendCancel(client, REST_MS), conversation);
    await conversation.whenOver();
    clearTimeout(timer);
  }

  async #comeToRest(): Promise<void> {
    const timer = setTimeout(() => this.#connection.destroy(), REST_MS);
    await this.#conversation?.whenOver();
    await this.#rest;
    await this.#rollBackOpen();
    clearTimeout(timer);
  }

  #giveBack(): void {
    const { isAlive, client } = this.#connection;
    const isIdle = !this.#mode || client.getTransactionStatus() === 'I';
    this.#home.giveBack(this.#connection, isAlive && isIdle);
  }
}

const COMMIT: Statement = { text: 'COMMIT', parameters: [] };
const ROLLBACK: Statement = { text: 'ROLLBACK', parameters: [] };
const IGNORED: StepSink = { kind: 'bytes', take: () => undefined, keeps: false };

const isolations = {
  readCommitted: 'READ COMMITTED',
  repeatableRead: 'REPEATABLE READ',
  serializable: 'SERIALIZABLE',
} satisfies Record<Isolation, string>;

function beginText({ isolation, readOnly }: TransactionMode): string {
  const level = isolation ? ` ISOLATION LEVEL ${isolations[isolation]}` : '';
  return `BEGIN${level}${readOnly ? ' READ ONLY' : ''}`;
}

function collect(rows: Fields[]): StepSink {
  const take = (fields: Fields): void => {
    rows.push(fields);
  };
  return { kind: 'fields', take };
}

function collectBytes(rows: RowBytes): StepSink {
  return { kind: 'bytes', take: (bytes, start) => rows.push(bytes, start), keeps: true };
}

function collectWithin(budget: ByteBudget): (rows: RowBytes) => StepSink {
  return (rows) => ({
    kind: 'bytes',
    take: (bytes, start) => {
      budget.take(bytes.readInt32BE(start - LENGTH_BYTES));
      rows.push(bytes, start);
    },
    keeps: true,
  });
}

/** The length of a row's message stands right before its number of fields. */
const LENGTH_BYTES = 4;
