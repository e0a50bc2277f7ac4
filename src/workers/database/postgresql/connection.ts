/**
 * A connection to PostgreSQL that speaks the extended query protocol itself (manual, "Message
 * Flow"). Runs are pipelined. Each ends with a Sync, so it is its own transaction unless one is
 * open. A hot path (bench, "point" and "plans").
 */
import { BaseConnection } from '../base-connection.js';
import type { Connection } from '../connection.js';
import { ProtocolError } from '../protocol-error.js';
import { stopUntilIdle } from '../stop-until-idle.js';
import { command, type Run } from '../statement.js';
import { sendCancel } from './cancel.js';
import type { DivertedClient } from './client.js';
import { Deframer, HEADER_BYTES, type MessageReader } from './deframer.js';
import { isFatal, readErrorResponse } from './error-response.js';
import { postgresqlError } from './errors.js';
import { MessageWriter } from './messages.js';
import { SentRun } from './sent-run.js';
import { PreparedStatements } from './statements.js';
import { isWholeMessage } from './whole-messages.js';

/** How long the runs of a group may take together, in milliseconds. Each counts for at least a little. */
const GROUP_MS = 1;
const LEAST_MS = 0.01;
/** After this many unwanted bytes, a statement is stopped. */
const SURPLUS_BYTES_MAX = 1 << 17;
/** The portal of the transaction's cursor. */
const CURSOR = 'cursor';

/** The SQLSTATE of a message that the server cannot read. */
const PROTOCOL_VIOLATION = '08P01';
/** PgBouncer's message for a statement that got no server in time. */
const QUEUED_TOO_LONG = 'query_wait_timeout';

const PARSE_COMPLETE = 0x31;
const COMMAND_COMPLETE = 0x43;
const DATA_ROW = 0x44;
const ERROR_RESPONSE = 0x45;
const EMPTY_QUERY = 0x49;
const PORTAL_SUSPENDED = 0x73;
const READY_FOR_QUERY = 0x5a;
/** The status of a ReadyForQuery outside a transaction. */
const IDLE = 0x49;

const rollback: Run = { steps: [command('ROLLBACK')], end: () => undefined };

export class PostgresqlConnection
  extends BaseConnection<SentRun>
  implements Connection, MessageReader
{
  readonly #client: DivertedClient;
  readonly #statements: PreparedStatements;
  protected readonly writer = new MessageWriter();
  /** The expected time of the runs since the last Sync, in milliseconds; 0 if there are none. */
  #groupMs = 0;
  #isInTransaction = false;

  /** Takes over a connected client. */
  constructor(client: DivertedClient, keepsStatements: boolean) {
    super(client, client.connection.stream, postgresqlError);
    this.#client = client;
    this.#statements = new PreparedStatements(keepsStatements);
    client.on('error', (error) => this.died(error));
    client.on('end', () => this.died(new Error('The connection ended.')));
    const deframer = new Deframer(this);
    client.reader = (bytes) => this.read(deframer, bytes);
  }

  get inFlight(): number {
    return this.sent.length;
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  canKeep(text: string): boolean {
    return this.#statements.canKeep(text);
  }

  /** The options say why the connection itself sends the run. */
  send(run: Run, { isRepeated = false, isByItself = false } = {}): void {
    if (this.refuses(run)) return;
    const { writer } = this;
    const parsed: string[] = [];
    const { expectedMs = GROUP_MS } = run;
    const shares = expectedMs < GROUP_MS && !isRepeated && !isByItself;
    if (!shares || this.#groupMs > GROUP_MS) this.#endGroup();
    // Within a group, a close might be skipped.
    if (this.#groupMs === 0) this.#statements.writeClosing(writer);
    for (const { statement, rowsMax, isCursor } of run.steps) {
      const portal = isCursor === true ? CURSOR : '';
      if (statement) {
        const name = this.#statements.prepare(
          statement.text,
          writer,
          run.isOnce ? undefined : parsed,
        );
        // The name is in use until the transaction's previous cursor is closed.
        if (isCursor) writer.closePortal(CURSOR);
        writer.bind(portal, name, statement.parameters);
      }
      writer.execute(portal, rowsMax);
      if (statement?.lines) writer.copy(statement.lines);
    }
    const sent = new SentRun(run, parsed, { isRepeated, isAlone: !this.#isInTransaction });
    this.sent.push(sent);
    if (shares) {
      sent.endsGroup = false;
      this.#groupMs += Math.max(expectedMs, LEAST_MS);
    } else writer.sync();
  }

  override flush(): void {
    this.#endGroup();
    super.flush();
  }

  abandon(run: Run, error: unknown): void {
    const sent = this.sent.find((each) => each.run === run && !each.isAbandoned);
    if (!sent) return;
    sent.isAbandoned = true;
    run.end(error, 0);
  }

  takeBackWaiting(): readonly Run[] {
    const runs: Run[] = [];
    const [head] = this.sent;
    // In a group, it is unknown which run takes long: the server may hold back the end of the first one's answer.
    const isGrouped = head && !head.endsGroup && head.canRestart();
    for (const sent of isGrouped ? this.sent : this.sent.slice(1)) {
      if (sent.isAbandoned || sent.run.isCommit) continue;
      sent.isAbandoned = true;
      runs.push(sent.run);
    }
    return runs;
  }

  message(code: number, bytes: Buffer, start: number, end: number): void {
    const [head] = this.sent;
    if (code === DATA_ROW) {
      if (!head) return;
      head.row(bytes, start + HEADER_BYTES, end, this.sent.length === 1);
      if (head.surplusBytes > SURPLUS_BYTES_MAX) this.#stopSurplus(head);
      return;
    }
    if (!isWholeMessage(code, bytes, start, end)) {
      throw new ProtocolError(`A message of kind ${code} is broken.`);
    }
    switch (code) {
      case COMMAND_COMPLETE:
        head?.complete(bytes, start + HEADER_BYTES, end);
        return this.#completed();
      case PORTAL_SUSPENDED:
        head?.suspended();
        return this.#completed();
      case EMPTY_QUERY:
        head?.suspended(false);
        return this.#completed();
      case READY_FOR_QUERY:
        return this.#ready(bytes[start + HEADER_BYTES] ?? IDLE);
      case PARSE_COMPLETE:
        if (head) head.prepared += 1;
        return;
      case ERROR_RESPONSE:
        return this.#failed(bytes, start, end);
      default:
        // Confirmations, notices and changed settings need no action.
        return;
    }
  }

  discarded(code: number, length: number): void {
    if (code !== DATA_ROW) {
      throw new ProtocolError(`A message of kind ${code} has the length ${length}.`);
    }
    const [head] = this.sent;
    if (!head) return;
    head.discardedRow(length);
    this.#stopSurplus(head);
  }

  protected get isServing(): boolean {
    return this.sent[0]?.isOut === true;
  }

  protected stopRuns(): Promise<void> {
    return stopUntilIdle(this, () => sendCancel(this.#client));
  }

  /** Stops a read most of whose rows nobody wants, unless that might hit something else. */
  #stopSurplus(head: SentRun): void {
    head.surplusBytes = 0;
    const others = this.sent.some((each) => each !== head && !each.isAbandoned);
    if (head.run.isCommit === true || others) return;
    // Otherwise, the end of a paused answer would never be read.
    this.resume();
    void this.stop();
  }

  /** Ends the group of runs since the last Sync. */
  #endGroup(): void {
    if (this.#groupMs === 0) return;
    this.#groupMs = 0;
    this.writer.sync();
    const last = this.sent.at(-1);
    if (last) last.endsGroup = true;
  }

  /** The run of a group was answered before the group's Sync. */
  #completed(): void {
    const [head] = this.sent;
    if (!head?.isComplete || head.endsGroup) return;
    this.sent.shift();
    this.answered.push(head);
  }

  #failed(bytes: Buffer, start: number, end: number): void {
    const error = readErrorResponse(bytes, start, end);
    // Outside a run, an error says why the server closes the connection.
    const [head] = this.sent;
    if (isFatal(error)) {
      this.lastWords = error;
      // A run that is sent before the socket is closed would seem to have reached the server.
      if (!head) return this.destroy();
    }
    const isBroken = error.code === PROTOCOL_VIOLATION;
    // So PgBouncer says that it has lost the server, which may have committed; or that nothing has run.
    const isUnknown = isBroken && head?.mayHaveCommitted && error.message !== QUEUED_TOO_LONG;
    if (!isUnknown) head?.fail(postgresqlError(error));
    // The server may also have skipped the runs after this one.
    if (isBroken) throw new ProtocolError(error.message);
  }

  #ready(status: number): void {
    this.#isInTransaction = status !== IDLE;
    const [head] = this.sent;
    if (!head) return;
    if (!head.isComplete && !head.isRefused) throw new ProtocolError('An answer is incomplete.');
    this.sent.shift();
    for (const text of head.unprepared) this.#statements.forget(text);
    if (head.isPlanInvalid) this.#statements.forgetAll();
    this.#sendSkipped(head);
    if (!head.mayRepeat) return void this.answered.push(head);
    // The run began the transaction itself, and will begin it again.
    if (this.#isInTransaction) this.send(rollback, { isRepeated: true });
    this.#forgetOwn(head.run);
    this.send(head.run, { isRepeated: true });
    this.flush();
  }

  #forgetOwn({ steps }: Run): void {
    for (const { statement } of steps) if (statement) this.#statements.forget(statement.text);
  }

  /** Sends the runs that follow a failure in their group again, because the server has skipped them. */
  #sendSkipped(failed: SentRun): void {
    for (let last = failed; !last.endsGroup; ) {
      const skipped = this.sent.shift();
      if (!skipped) break;
      for (const text of skipped.unprepared) this.#statements.forget(text);
      // Its prepared statements may be missing, so it prepares them again.
      if (failed.isPlanInvalid || failed.unprepared.length > 0) this.#forgetOwn(skipped.run);
      if (!skipped.isAbandoned) this.send(skipped.run, { isByItself: true });
      last = skipped;
    }
    if (!failed.endsGroup) this.flush();
  }
}
