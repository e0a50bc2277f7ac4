/**
 * Replies on their way to the gateway: those of an event-loop turn leave as one message, and those
 * of a worker that has nothing else to do leave at once.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Outlet } from './execution/answer.js';
import type { WorkerReply } from './protocol.js';

/** From this length on, an answer's bytes get a buffer of their own. */
const OWN_LENGTH = 16 * 1024;

interface Whole {
  readonly id: number;
  readonly text: string;
}

export class Outbox implements Outlet {
  readonly #port: MessagePort;
  readonly #isIdle: () => boolean;
  #replies: WorkerReply[] = [];
  #transfers: ArrayBuffer[] = [];
  #wholes: Whole[] = [];
  #isScheduled = false;

  /** `isIdle`: whether no request runs. */
  constructor(port: MessagePort, isIdle: () => boolean) {
    this.#port = port;
    this.#isIdle = isIdle;
  }

  /** Sends a reply; `buffer`, which holds its bytes, is given away. */
  send(reply: WorkerReply, buffer?: ArrayBuffer): void {
    this.#replies.push(reply);
    if (buffer) this.#transfers.push(buffer);
    this.#schedule();
  }

  /** Sends a whole answer; small ones of a turn share a buffer. */
  sendWhole(id: number, text: string): void {
    this.#wholes.push({ id, text });
    this.#schedule();
  }

  /** Sends everything now. */
  flush(): void {
    this.#encodeWholes();
    if (this.#replies.length === 0) return;
    const replies = this.#replies;
    const transfers = this.#transfers;
    this.#replies = [];
    this.#transfers = [];
    this.#port.postMessage(replies, transfers);
  }

  #schedule(): void {
    if (this.#isIdle()) return this.flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  #encodeWholes(): void {
    if (this.#wholes.length === 0) return;
    const wholes = this.#wholes;
    this.#wholes = [];
    const large = wholes.filter(({ text }) => text.length >= OWN_LENGTH);
    if (large.length === 0) return this.#encodeTogether(wholes);
    const small = wholes.filter(({ text }) => text.length < OWN_LENGTH);
    if (small.length > 0) this.#encodeTogether(small);
    for (const whole of large) this.#encodeTogether([whole]);
  }

  /** Puts answers behind each other into one buffer. */
  #encodeTogether(wholes: readonly Whole[]): void {
    let size = 0;
    for (const { text } of wholes) size += Buffer.byteLength(text);
    const buffer = new ArrayBuffer(size);
    const target = Buffer.from(buffer);
    const ids: number[] = [];
    const ends: number[] = [];
    let end = 0;
    for (const { id, text } of wholes) {
      end += target.write(text, end, 'utf8');
      ids.push(id);
      ends.push(end);
    }
    this.#replies.push({ type: 'wholes', ids, ends, bytes: new Uint8Array(buffer) });
    this.#transfers.push(buffer);
  }
}
