/** Collects replies to the gateway. Those of one event-loop turn are sent as one message. */
import type { MessagePort } from 'node:worker_threads';
import { OutputBytes } from '../../engine/index.js';
import type { Outlet } from './answer.js';
import type { AnswerMemory } from './answer-memory.js';
import type { WorkerReply } from '../protocol.js';

/** Whole answers are collected in one buffer up to this size. */
const TURN_BYTES = 256 * 1024;

export class Outbox implements Outlet {
  readonly #port: MessagePort;
  readonly #memory: AnswerMemory;
  #replies: WorkerReply[] = [];
  #transfers: ArrayBuffer[] = [];
  /** The waiting whole answers, one after the other. */
  readonly #answers = new OutputBytes(64 * 1024);
  #ids: number[] = [];
  #ends: number[] = [];
  #isScheduled = false;

  constructor(port: MessagePort, memory: AnswerMemory) {
    this.#port = port;
    this.#memory = memory;
  }

  send(reply: WorkerReply, ...buffers: readonly ArrayBuffer[]): void {
    this.#replies.push(reply);
    this.#transfers.push(...buffers);
    this.#schedule();
  }

  /** Sends a whole answer; its bytes are copied at once. */
  sendWhole(id: number, bytes: Uint8Array): void {
    this.#answers.copy(bytes, 0, bytes.length);
    this.#ids.push(id);
    this.#ends.push(this.#answers.length);
    if (this.#answers.length >= TURN_BYTES) this.#takeAnswers();
    this.#schedule();
  }

  /** Sends whole answers after those that wait; the answer of `ids[i]` ends at `ends[i]`. */
  sendAll(ids: readonly number[], ends: readonly number[], bytes: OutputBytes): void {
    this.#takeAnswers();
    this.#pushAnswers(ids, ends, bytes);
    this.flush();
  }

  /** Sends everything now. */
  flush(): void {
    this.#takeAnswers();
    if (this.#replies.length === 0) return;
    const replies = this.#replies;
    const transfers = this.#transfers;
    this.#replies = [];
    this.#transfers = [];
    this.#port.postMessage(replies, transfers);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  #takeAnswers(): void {
    if (this.#ids.length === 0) return;
    this.#pushAnswers(this.#ids, this.#ends, this.#answers);
    this.#ids = [];
    this.#ends = [];
  }

  #pushAnswers(ids: readonly number[], ends: readonly number[], output: OutputBytes): void {
    const start = this.#memory.put(output);
    if (start === undefined) {
      const bytes = output.take();
      this.#replies.push({ type: 'answers', ids, ends, bytes });
      this.#transfers.push(bytes.buffer);
      return;
    }
    output.length = 0;
    this.#replies.push({ type: 'answers', ids, ends, bytes: start });
  }
}
