/** What the connections of both protocols share: how bytes are read and written, and how runs end. */
import type { Duplex } from 'node:stream';
import type { BaseSentRun } from './base-sent-run.js';
import { closeWithin } from './close-within.js';
import type { GrowingBuffer } from './growing-buffer.js';
import { isProtocolError } from './protocol-error.js';
import { SourceError } from './source-error.js';
import type { Run } from './statement.js';

export abstract class BaseConnection<Sent extends BaseSentRun> {
  isAlive = true;
  servingSince = 0;
  heardAt = 0;
  /** Runs that were sent and not answered, in order. */
  protected readonly sent: Sent[] = [];
  /** Runs that are answered by the bytes being read. They end together, when all bytes are read. */
  protected readonly answered: Sent[] = [];
  protected readonly socket: Duplex;
  protected stopping: Promise<void> | undefined;
  /** The server's last message before it closed the connection. */
  protected lastWords: unknown;
  readonly #client: { end(): Promise<void> };
  readonly #errorOf: (error: unknown) => SourceError;

  constructor(
    client: { end(): Promise<void> },
    socket: Duplex,
    errorOf: (error: unknown) => SourceError,
  ) {
    this.#client = client;
    this.socket = socket;
    this.#errorOf = errorOf;
  }

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopRuns().finally(() => {
      this.stopping = undefined;
    });
    return this.stopping;
  }

  async close(): Promise<void> {
    this.isAlive = false;
    await closeWithin(this.#client.end(), () => this.socket.destroy());
  }

  flush(): void {
    if (this.writer.isEmpty) return;
    if (!this.isServing) this.servingSince = performance.now();
    for (let last = this.sent.length - 1; last >= 0; last -= 1) {
      const sent = this.sent[last];
      if (!sent || sent.isOut) break;
      sent.isOut = true;
    }
    this.socket.write(this.writer.take());
  }

  destroy(): void {
    this.died(new Error('The connection was broken off.'));
    this.socket.destroy();
  }

  protected abstract stopRuns(): Promise<void>;

  /** Collects what `flush` writes to the socket. */
  protected abstract readonly writer: Pick<GrowingBuffer, 'isEmpty' | 'take'>;

  /** Whether something was sent and is not answered. */
  protected abstract get isServing(): boolean;

  protected takeUnanswered(): Sent[] {
    return this.sent.splice(0);
  }

  /** Ends a run for which the connection is too late; returns false while it is alive. */
  protected refuses(run: Run): boolean {
    if (this.isAlive) return false;
    const error = this.#errorOf(this.lastWords ?? new Error('The connection had ended.'));
    queueMicrotask(() => run.end(error, 0));
    return true;
  }

  /** Fails the runs that are not answered. Those that were sent may have been committed; the others were not. */
  protected died(error: unknown): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    const cause = this.lastWords ?? error;
    const lost = this.#errorOf(cause);
    const unanswered = this.takeUnanswered();
    for (const each of this.answered.splice(0)) each.end(0);
    for (const [index, each] of unanswered.entries()) {
      // After its last message, the server executes nothing.
      const isUnknown = each.mayHaveCommitted && !(this.lastWords !== undefined && index > 0);
      each.fail(isUnknown ? new SourceError('outcome-unknown', { cause }) : lost, isUnknown);
      each.end(0);
    }
  }

  /** Called when bytes have been read, before the runs that they answer end. */
  protected received(): void {}

  /** Ends the connection if the bytes cannot be read. */
  protected read(deframer: { take(bytes: Buffer): void }, bytes: Buffer): void {
    this.heardAt = performance.now();
    try {
      deframer.take(bytes);
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      this.died(error);
      this.socket.destroy();
    }
    if (this.answered.length === 0) return this.received();
    const now = performance.now();
    const answered = this.answered.splice(0);
    const serviceMs = (now - this.servingSince) / answered.length;
    this.servingSince = now;
    this.received();
    for (const each of answered) each.end(serviceMs);
  }
}
