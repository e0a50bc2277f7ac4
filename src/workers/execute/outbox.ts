/** Collects replies to the gateway. Those of one event-loop iteration are sent as one message. */
import type { MessagePort } from 'node:worker_threads';
import { OutputBytes } from '../../engine/index.js';
import type { Outlet } from './answer.js';
import type { AnswerMemory } from './answer-memory.js';
import type { WorkerReply } from '../protocol.js';

/** Whole answers are collected in one buffer up to this size. */
const TURN_BYTES = 256 * 1024;

/** A request with a whole answer. */
export interface Answered {
  readonly id: number;
  readonly rows: number;
}

/** A request, and when it arrived and began, by `performance.now()`. */
export interface Timed extends Answered {
  readonly joinedAt: number;
  readonly startedAt?: number | undefined;
}

export class Outbox implements Outlet {
  readonly #port: MessagePort;
  readonly #memory: AnswerMemory;
  #replies: WorkerReply[] = [];
  #transfers: ArrayBuffer[] = [];
  /** The waiting whole answers, one after the other. */
  readonly #answers = new OutputBytes(64 * 1024);
  #ids: number[] = [];
  #ends: number[] = [];
  #rows: number[] = [];
  readonly #countsRows: boolean;
  #isScheduled = false;

  constructor(port: MessagePort, memory: AnswerMemory, countsRows: boolean) {
    this.#port = port;
    this.#memory = memory;
    this.#countsRows = countsRows;
  }

  send(reply: WorkerReply, ...buffers: readonly ArrayBuffer[]): void {
    this.#replies.push(reply);
    this.#transfers.push(...buffers);
    this.#schedule();
  }

  /** Sends a whole answer with this many rows; its bytes are copied at once. */
  sendWhole(id: number, bytes: Uint8Array, rows: number): void {
    this.#answers.copy(bytes, 0, bytes.length);
    this.#ids.push(id);
    this.#ends.push(this.#answers.length);
    if (this.#countsRows) this.#rows.push(rows);
    if (this.#answers.length >= TURN_BYTES) this.#takeAnswers();
    this.#schedule();
  }

  /** Sends whole answers after those that wait; the answer of the first request ends at `ends[0]`. */
  sendAll(requests: readonly Answered[], ends: readonly number[], bytes: OutputBytes): void {
    this.#takeAnswers();
    const ids = requests.map(({ id }) => id);
    const rows = this.#countsRows ? requests.map((request) => request.rows) : undefined;
    this.#pushAnswers({ ids, ends, rows }, bytes);
    this.flush();
  }

  /** Tells the gateway where the time of a request went; before its answer. */
  sendTiming({ id, rows, joinedAt, startedAt }: Timed, now = performance.now()): void {
    const queueMs = startedAt === undefined ? undefined : startedAt - joinedAt;
    const databaseMs = now - (startedAt ?? joinedAt);
    this.send({ type: 'timing', id, queueMs, databaseMs, rows });
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
    const rows = this.#countsRows ? this.#rows : undefined;
    this.#pushAnswers({ ids: this.#ids, ends: this.#ends, rows }, this.#answers);
    this.#ids = [];
    this.#ends = [];
    this.#rows = [];
  }

  #pushAnswers({ ids, ends, rows }: Answers, output: OutputBytes): void {
    const start = this.#memory.put(output);
    if (start === undefined) {
      const bytes = output.take();
      this.#replies.push({ type: 'answers', ids, ends, bytes, rows });
      this.#transfers.push(bytes.buffer);
      return;
    }
    output.length = 0;
    this.#replies.push({ type: 'answers', ids, ends, bytes: start, rows });
  }
}

type Answers = Omit<Extract<WorkerReply, { readonly type: 'answers' }>, 'type' | 'bytes'>;
