/** What the connections of both protocols share: how bytes are read, and how answered runs end. */
import type { Duplex } from 'node:stream';
import type { BaseSentRun } from './base-sent-run.js';
import { closeWithin } from './close-within.js';
import { isProtocolError } from './protocol-error.js';

interface Client {
  /** Closes the connection properly. */
  end(): Promise<void>;
}

interface Deframer {
  take(bytes: Buffer): void;
}

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
  readonly #client: Client;

  constructor(client: Client, socket: Duplex) {
    this.#client = client;
    this.socket = socket;
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

  protected abstract stopRuns(): Promise<void>;

  /** Fails the runs that are not answered. */
  protected abstract died(error: unknown): void;

  /** Called when bytes have been read, before the runs that they answer end. */
  protected received(): void {}

  /** Ends the connection if the bytes cannot be read. */
  protected read(deframer: Deframer, bytes: Buffer): void {
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
