/**
 * A connection to MySQL or MariaDB that speaks their protocol itself. The commands of all runs are
 * pipelined and answered in order. A statement that the server does not have is prepared first;
 * meanwhile, the runs after it proceed. A hot path (bench, "point" and "plans").
 */
import { BaseConnection } from '../base-connection.js';
import { readsInto } from '../borrowed-socket.js';
import { type Connection, failureOf } from '../connection.js';
import { ProtocolError } from '../protocol-error.js';
import { SourceError } from '../source-error.js';
import { noRows, type Run } from '../statement.js';
import { REST_MS, stopUntilIdle } from '../stop-until-idle.js';
import { AnswerReader, isFault, readFault } from './answers.js';
import type { CancelConnection } from './cancel-connection.js';
import type { MysqlClient } from './client.js';
import { CommandWriter } from './command-writer.js';
import type { CommandOwner } from './commands.js';
import { Deframer } from './deframer.js';
import { mysqlError, type ServerFault, wasInterrupted } from './errors.js';
import { RowWriter } from './rows.js';
import { SentRun } from './sent-run.js';
import { isTooLarge } from './too-large.js';
import { AUTOCOMMIT, endsTransaction } from './transactions.js';
import { inquiryAbout } from './warnings.js';

/** What a connection needs to stop its own statements through another connection. */
export type Canceller = Pick<CancelConnection, 'interrupt' | 'end'>;

/** Why the connection itself sends a run. */
interface Resending {
  readonly isRepeated?: boolean;
  /** See `SentRun`. */
  readonly about?: SentRun | undefined;
}

export class MysqlConnection extends BaseConnection<SentRun> implements Connection {
  runaway: Promise<void> | undefined;
  readonly #client: MysqlClient;
  readonly #canceller: Canceller;
  protected readonly writer: CommandWriter;
  readonly #answers = new AnswerReader();
  /** Runs that wait until their statements are prepared. */
  readonly #unprepared = new Set<SentRun>();
  /** Whether autocommit is being turned on again after a transaction. */
  #isSwitching = false;

  /**
   * Takes over a connected client. `keepsStatements`: prepared statements are kept after their use.
   */
  constructor(client: MysqlClient, canceller: Canceller, keepsStatements: boolean) {
    super(client, client.socket, mysqlError);
    this.#client = client;
    this.#canceller = canceller;
    this.writer = new CommandWriter(this.#owner, keepsStatements);
    client.onLost((error) => this.died(error));
    const deframer = new Deframer((...packet) => this.#packet(...packet));
    const take = (bytes: Buffer): void => this.read(deframer, bytes);
    if (!readsInto(client.socket, take)) client.socket.on('data', take);
  }

  get inFlight(): number {
    return this.#runs + (this.stopping ? 1 : 0);
  }

  get isInTransaction(): boolean {
    return this.#answers.isInTransaction || !(this.#answers.isAutocommit || this.#isSwitching);
  }

  canKeep(text: string): boolean {
    return this.writer.canKeep(text);
  }

  send(run: Run, { isRepeated = false, about }: Resending = {}): void {
    if (this.refuses(run)) return;
    if (run.steps.some((step) => isTooLarge(step, this.#client.packetBytesMax))) {
      return queueMicrotask(() => run.end(new SourceError('text-too-long'), 0));
    }
    if (run.steps.length === 0) return queueMicrotask(() => run.end(undefined, 0));
    const statements = run.steps.map(({ statement, isCursor }) =>
      statement && statement.isCommand !== true
        ? this.writer.prepare(isCursor === true ? cursorText(statement.text) : statement.text)
        : undefined,
    );
    const isAlone = !this.isInTransaction;
    const sent = new SentRun(run, statements, { isRepeated, isAlone, about });
    if (sent.isReady) this.#write(sent);
    else this.#unprepared.add(sent);
  }

  abandon(run: Run, error: unknown): void {
    const all = [...this.sent, ...this.#unprepared];
    const sent = all.find((each) => (each.about ?? each).run === run && !each.isAbandoned);
    if (!sent) return;
    this.#abandon(sent);
    run.end(error, 0);
  }

  takeBackWaiting(): readonly Run[] {
    const head = this.#head;
    const taken = [...this.sent, ...this.#unprepared].filter(
      (sent) => sent !== head && !sent.isAbandoned && sent.run.isCommit !== true,
    );
    for (const sent of taken) this.#abandon(sent);
    // The rows of these reads have been passed on, so they fail like those of a lost connection, which run again.
    for (const { about } of taken) about?.run.end(new SourceError('source-unavailable'), 0);
    return taken.filter(({ about }) => !about).map(({ run }) => run);
  }

  override destroy(): void {
    if (this.isAlive && this.stopping && this.#runs > 0) {
      this.runaway = this.#canceller.end(this.#client);
    }
    super.destroy();
  }

  /** The number of runs. A statement that is still being prepared for abandoned runs counts as one. */
  get #runs(): number {
    const runs = this.sent.length + this.#unprepared.size;
    return runs === 0 && this.isAlive && this.writer.isPreparing ? 1 : runs;
  }

  /** The run that the server is working on. */
  get #head(): SentRun | undefined {
    const statement = this.writer.inPreparation;
    if (!statement) return this.sent[0];
    return [...this.#unprepared].find(({ statements }) => statements.includes(statement));
  }

  readonly #owner: CommandOwner = {
    rows: new RowWriter(),
    prepared: (statement, fault) => {
      for (const sent of this.#unprepared) {
        const failed = fault ? sent.statements.indexOf(statement) : -1;
        if (fault && failed >= 0) this.#refused(sent, failed, fault);
        else if (sent.isReady) {
          this.#unprepared.delete(sent);
          this.#write(sent);
        }
      }
    },
    done: ({ kind, sent, index, statement }, hasMore) => {
      if (kind === 'fetch' && !hasMore) this.writer.drained(statement);
      if (kind === 'command') this.#commandDone(sent.run.steps[index]?.statement?.text ?? '');
      this.#stepEnded(sent);
    },
    failed: ({ sent }) => this.#stepEnded(sent),
    hasSurplus: ({ sent }) => {
      const others = [...this.sent, ...this.#unprepared].some(
        (each) => each !== sent && !each.isAbandoned,
      );
      if (sent.unanswered === 1 && !others) void this.stop();
    },
  };

  #write(sent: SentRun): void {
    this.sent.push(sent);
    this.writer.write(sent);
  }

  #abandon(sent: SentRun): void {
    sent.isAbandoned = true;
    if (this.#unprepared.delete(sent)) this.writer.release(sent);
  }

  /** The server cannot prepare a statement of the run, so nothing of it was executed. */
  #refused(sent: SentRun, index: number, fault: ServerFault): void {
    this.#unprepared.delete(sent);
    this.writer.release(sent);
    sent.fault(index, fault);
    this.answered.push(sent);
  }

  #packet(bytes: Buffer, start: number, end: number, number: number, follows: boolean): void {
    if (!this.isAlive) return;
    const command = this.writer.oldest;
    if (!command) return this.#unasked(bytes, start, end);
    // An error may also be what the server says before it closes the connection.
    const isNext = this.#answers.isAtStart
      ? number === command.answerNumber || isFault(bytes, start)
      : follows;
    if (!isNext) throw new ProtocolError('A packet is missing.');
    if (this.#answers.take(command, bytes, start, end)) this.writer.answered();
  }

  /** An unsolicited packet says why the server is about to close the connection. */
  #unasked(bytes: Buffer, start: number, end: number): void {
    if (isFault(bytes, start)) this.lastWords = readFault(bytes, start, end);
    this.destroy();
  }

  /** Writing statements outside a transaction commit by themselves again. */
  #commandDone(text: string): void {
    if (!endsTransaction(text) || this.#answers.isAutocommit) return;
    this.#isSwitching = true;
    const done = (): void => {
      this.#isSwitching = false;
    };
    const failed = (): void => this.destroy();
    this.writer.writeAuxiliary(AUTOCOMMIT, done, failed);
  }

  #stepEnded(sent: SentRun): void {
    sent.unanswered -= 1;
    if (sent.unanswered > 0) return;
    this.sent.shift();
    if (sent.isPlanInvalid) this.writer.forget(sent);
    const { about } = sent;
    if (sent.mayRepeat && !this.isInTransaction) this.send(sent.run, { isRepeated: true, about });
    else if (sent.doubtful.length > 0) this.#inquire(sent);
    else this.answered.push(sent);
  }

  /** Ends the run once it is known what the server has warned about. */
  #inquire(sent: SentRun): void {
    const inquiry = inquiryAbout(sent.doubtful, (error, serviceMs) => {
      if (error !== undefined) sent.fail(error);
      sent.end(serviceMs);
    });
    this.send(inquiry, { about: sent });
  }

  /** The server continues with ready runs while the answers are processed. */
  protected override received(): void {
    this.flush();
  }

  protected get isServing(): boolean {
    return this.writer.isServing;
  }

  protected override takeUnanswered(): SentRun[] {
    const all = [...super.takeUnanswered(), ...this.#unprepared];
    this.#unprepared.clear();
    return all;
  }

  protected async stopRuns(): Promise<void> {
    const runs = (): number => this.#runs;
    const target = {
      get inFlight(): number {
        return runs();
      },
      destroy: () => this.destroy(),
    };
    let isStruck = false;
    const interrupt = async (): Promise<void> => {
      isStruck = true;
      await this.#canceller.interrupt(this.#client);
    };
    await stopUntilIdle(target, interrupt);
    if (isStruck) await this.#takeInterruption();
  }

  /** Absorbs an interruption that came too late, and would otherwise hit the next statement. */
  async #takeInterruption(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), REST_MS);
    const statement = { text: 'DO 0', parameters: [], isCommand: true };
    let isLate = true;
    while (isLate) {
      isLate = wasInterrupted(await failureOf(this, [statement], noRows));
    }
    clearTimeout(timer);
  }
}

/**
 * A statement that opens a cursor is prepared apart from the same one without: MySQL would send rows that do not fit their
 * columns, and executing it without a cursor would close the cursor.
 */
function cursorText(text: string): string {
  return `${text} `;
}
