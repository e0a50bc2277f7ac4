/**
 * Short reads on one connection, the second sent before the first is answered. Each is one write and,
 * since it ends with a Sync, a transaction of its own, whose failure is no matter of the other's. The
 * pipeline holds the connection until it has run dry.
 */
import { cancelUntilAnswered, type Underway } from './cancel-until-answered.js';
import { MessageCutter, type MessageReader } from './message-cutter.js';
import { sendCancel } from './postgresql-cancel.js';
import type { PostgresqlConnection } from './postgresql-connection.js';
import { readErrorResponse } from './postgresql-error-response.js';
import { postgresqlError } from './postgresql-errors.js';
import { MessageWriter } from './postgresql-messages.js';
import { ReadHeldUp, SourceError } from './source-error.js';
import type { QuickRead, QuickRun, Statement } from './source.js';
import type { WorkClock, Worked } from './work-clock.js';

/** Reads that are sent and not answered. */
const DEPTH_MAX = 2;
/** How long a cancelled connection may take to come to rest before it is broken off. */
const REST_MS = 2000;

const PARSE_COMPLETE = 0x31;
const BIND_COMPLETE = 0x32;
const CLOSE_COMPLETE = 0x33;
const COMMAND_COMPLETE = 0x43;
const DATA_ROW = 0x44;
const ERROR_RESPONSE = 0x45;
const PORTAL_SUSPENDED = 0x73;
const READY_FOR_QUERY = 0x5a;

const writer = new MessageWriter();

/** Where a pipeline takes its connection back to. */
export interface PipelineHome {
  readonly clock: WorkClock;
  /** A read has been answered. */
  answered(): void;
  /** Nothing runs any more; `isFit`: the connection may serve others. */
  ranDry(pipeline: Pipeline, isFit: boolean): void;
}

export class Pipeline implements MessageReader, Underway, Worked {
  readonly connection: PostgresqlConnection;
  readonly #home: PipelineHome;
  readonly #runs: Run[] = [];
  #isInterrupted = false;
  /** Whether the read that is the next to be answered takes long. */
  #isOverdue = false;
  readonly #answerListeners: (() => void)[] = [];

  constructor(connection: PostgresqlConnection, home: PipelineHome) {
    this.connection = connection;
    this.#home = home;
    connection.beginPipeline(this, new MessageCutter(this));
  }

  /** A second read is sent only where it has nothing to prepare: a failed parse has one reader. */
  canRun(text: string): boolean {
    if (this.#isInterrupted || this.#isOverdue || !this.connection.isAlive) return false;
    const { length } = this.#runs;
    return length === 0 || (length < DEPTH_MAX && this.connection.statements.isReady(text));
  }

  run(statement: Statement, rowsMax: number, read: QuickRead): QuickRun {
    const { client, statements } = this.connection;
    writer.clear();
    const name = statements.prepare(statement.text, writer);
    writer.bind('', name, statement.parameters);
    writer.execute('', rowsMax);
    writer.sync();
    const run = new Run(this, read);
    this.#runs.push(run);
    if (this.#runs.length === 1) this.#home.clock.start(this);
    client.connection.stream.write(writer.take());
    return run;
  }

  get isWorking(): boolean {
    return this.isWaiting;
  }

  get isWaiting(): boolean {
    return this.#runs.length > 0;
  }

  whenAnswered(): Promise<void> {
    if (!this.isWaiting) return Promise.resolve();
    return new Promise((resolve) => {
      this.#answerListeners.push(resolve);
    });
  }

  expire(): void {
    this.#interrupt('statement-timeout');
  }

  /** The connection is gone. */
  died(error: unknown): void {
    this.#end(this.#runs.splice(0), postgresqlError(error));
    this.#finish();
  }

  /** Stops a read that is the next to be answered; another is merely not waited for. */
  cancel(run: Run): void {
    if (this.#runs[0] === run) this.#interrupt('cancelled');
    else run.end(new SourceError('cancelled'));
  }

  /** What was sent behind a read that takes long is not to wait for it. */
  overdue(run: Run): void {
    const [first, ...others] = this.#runs;
    if (first !== run && !others.includes(run)) return;
    this.#isOverdue = true;
    for (const other of others) other.end(new ReadHeldUp());
  }

  get keepsRows(): boolean {
    return this.#runs[0]?.read.keepsRows === true;
  }

  message(code: number, bytes: Buffer, start: number, end: number): void {
    switch (code) {
      case DATA_ROW:
        this.#runs[0]?.row(bytes, start + 5);
        return;
      case BIND_COMPLETE:
      case COMMAND_COMPLETE:
      case PORTAL_SUSPENDED:
        return;
      case READY_FOR_QUERY:
        return this.#ready();
      case PARSE_COMPLETE:
        return this.connection.statements.confirm();
      case CLOSE_COMPLETE:
        return this.connection.statements.confirmClose();
      case ERROR_RESPONSE:
        return this.#failed(bytes, start, end);
      default:
        return this.connection.client.tap?.pass(bytes.subarray(start, end));
    }
  }

  #failed(bytes: Buffer, start: number, end: number): void {
    const error = postgresqlError(readErrorResponse(bytes, start, end));
    if (error.code === 'statement-stale') this.connection.statements.forgetAll();
    this.#runs[0]?.fail(error);
  }

  #ready(): void {
    this.connection.statements.dropUnconfirmed();
    const run = this.#runs.shift();
    this.#isOverdue = false;
    this.#home.clock.stop(this);
    if (this.isWaiting) this.#home.clock.start(this);
    this.#home.answered();
    run?.end();
    if (this.isWaiting) return;
    if (this.#isInterrupted) this.#tellAnswered();
    else this.#finish();
  }

  /** What was sent behind the one that is interrupted may be struck, too: all are over at once. */
  #interrupt(code: 'cancelled' | 'statement-timeout'): void {
    if (this.#isInterrupted) return;
    this.#isInterrupted = true;
    this.#end(this.#runs, new SourceError(code));
    void this.#comeToRest();
  }

  /** What fails the first is no fault of the others. */
  #end([first, ...others]: readonly Run[], error: SourceError): void {
    first?.end(error);
    for (const other of others) other.end(new ReadHeldUp());
  }

  /** Until the server has closed the cancel socket, the interrupt may still hit whatever runs. */
  async #comeToRest(): Promise<void> {
    const timer = setTimeout(() => this.connection.destroy(), REST_MS);
    await cancelUntilAnswered(() => sendCancel(this.connection.client, REST_MS), this);
    clearTimeout(timer);
    this.#finish();
  }

  #finish(): void {
    if (!this.connection.endPipeline(this)) return;
    this.#home.clock.stop(this);
    this.#home.ranDry(this, this.connection.isAlive);
    this.#tellAnswered();
  }

  #tellAnswered(): void {
    for (const listener of this.#answerListeners.splice(0)) listener();
  }
}

/** A read that was sent. */
class Run implements QuickRun {
  readonly read: QuickRead;
  readonly #pipeline: Pipeline;
  #failure: unknown;
  #isOver = false;

  constructor(pipeline: Pipeline, read: QuickRead) {
    this.#pipeline = pipeline;
    this.read = read;
  }

  row(bytes: Buffer, start: number): void {
    if (this.#isOver || this.#failure !== undefined) return;
    try {
      this.read.row(bytes, start);
    } catch (error) {
      this.#failure = error;
    }
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.read.end(error ?? this.#failure);
  }

  cancel(): void {
    this.#pipeline.cancel(this);
  }

  overdue(): void {
    this.#pipeline.overdue(this);
  }
}
