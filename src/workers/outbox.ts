/**
 * Replies on their way to the gateway: those of an event-loop turn leave as one message, and those
 * of a worker that has nothing else to do leave at once.
 */
import type { MessagePort } from 'node:worker_threads';
import { OutputBytes } from '../engine/index.js';
import type { Outlet } from './execute/answer.js';
import type { WorkerReply } from './protocol.js';

/** Whole answers gather in one buffer up to this size. */
const TURN_BYTES = 256 * 1024;

/** Less is cheaper to copy than to hand over. */
const TRANSFER_BYTES = 16 * 1024;

export class Outbox implements Outlet {
  readonly #port: MessagePort;
  readonly #unanswered: () => number;
  #replies: WorkerReply[] = [];
  #transfers: ArrayBuffer[] = [];
  /** The whole answers of this turn, one behind the other. */
  readonly #wholes = new OutputBytes(64 * 1024);
  #ids: number[] = [];
  #ends: number[] = [];
  #isScheduled = false;

  /** `unanswered`: how many requests the worker has not answered. */
  constructor(port: MessagePort, unanswered: () => number) {
    this.#port = port;
    this.#unanswered = unanswered;
  }

  send(reply: WorkerReply, buffer?: ArrayBuffer): void {
    this.#replies.push(reply);
    if (buffer) this.#transfers.push(buffer);
    this.#schedule();
  }

  sendWhole(id: number, bytes: Uint8Array): void {
    this.writeWhole(id, (out) => out.copy(bytes, 0, bytes.length));
    this.#schedule();
  }

  /**
   * Lets `write` put a whole answer straight behind those of this turn; `flush` sends it. When that
   * throws, nothing of the answer is sent.
   */
  writeWhole(id: number, write: (out: OutputBytes) => void): void {
    const start = this.#wholes.length;
    try {
      write(this.#wholes);
    } catch (error) {
      this.#wholes.length = start;
      throw error;
    }
    this.#ids.push(id);
    this.#ends.push(this.#wholes.length);
    if (this.#wholes.length >= TURN_BYTES) this.#takeWholes(false);
  }

  /** Sends whole answers of brief requests, behind what waits; that of `ids[i]` ends at `ends[i]`. */
  sendAll(ids: readonly number[], ends: readonly number[], bytes: OutputBytes): void {
    this.#takeWholes(false);
    this.#pushWholes(ids, ends, bytes.take(), true);
    this.flush();
  }

  /** Sends everything now; `isBrief`: what was written last are answers of brief requests. */
  flush(isBrief = false): void {
    this.#takeWholes(isBrief);
    if (this.#replies.length === 0) return;
    const replies = this.#replies;
    const transfers = this.#transfers;
    this.#replies = [];
    this.#transfers = [];
    this.#port.postMessage(replies, transfers);
  }

  #schedule(): void {
    if (this.#unanswered() === 0) return this.flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  #takeWholes(isBrief: boolean): void {
    if (this.#ids.length === 0) return;
    this.#pushWholes(this.#ids, this.#ends, this.#wholes.take(), isBrief);
    this.#ids = [];
    this.#ends = [];
  }

  #pushWholes(
    ids: readonly number[],
    ends: readonly number[],
    bytes: Uint8Array<ArrayBuffer>,
    isBrief: boolean,
  ): void {
    this.#replies.push({ type: 'wholes', ids, ends, bytes, isBrief });
    if (bytes.length >= TRANSFER_BYTES) this.#transfers.push(bytes.buffer);
  }
}
