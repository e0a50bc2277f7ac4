/**
 * A streamed answer on uWebSockets.js. It is sent in pieces that fit in a cork, one cork each. Only
 * the next write shows whether the socket took a piece. So the last bytes are written separately,
 * and the answer ends only when the library keeps nothing.
 */
import type { AnswerStream } from './exchange.js';
import type { Patience } from './patience.js';
import {
  type UwsAnswerOwner,
  CORK_BYTES_MAX,
  uwsPatience,
  type UwsResponse,
} from './uws-response.js';

/** How many bytes at the end of the queue are written separately. */
const TAIL_BYTES = 64;
/** An answer of this size always fits in the system's send buffer. */
const SURE_BYTES = 30_000;
/** More than the library adds around a chunk. */
const FRAME_BYTES = 12;

interface Part {
  readonly bytes: Uint8Array;
  readonly taken: (() => void) | undefined;
}

export class UwsAnswerStream implements AnswerStream {
  readonly #response: UwsResponse;
  readonly #owner: UwsAnswerOwner;
  readonly #patience: Patience;
  #queue: Part[] = [];
  #queuedBytes = 0;
  #writtenBytes = 0;
  /** Called when the library has sent what it keeps. */
  #kept: (() => void)[] = [];
  /** Whether the library keeps bytes that the socket did not take. */
  #blocked = false;
  #ending = false;
  #scheduled = false;

  constructor(response: UwsResponse, owner: UwsAnswerOwner) {
    this.#response = response;
    this.#owner = owner;
    this.#patience = uwsPatience(response, owner, () => this.#try());
    if (owner.isAnswering) response.onWritable(() => this.#onWritable());
  }

  get waitingBytes(): number {
    return this.#queuedBytes;
  }

  write(bytes: Uint8Array, taken?: () => void): void {
    if (!this.#owner.isAnswering || bytes.byteLength === 0) return;
    this.#queue.push({ bytes, taken });
    this.#queuedBytes += bytes.byteLength;
    this.#schedule();
  }

  end(): void {
    this.#ending = true;
    this.#schedule();
  }

  abort(): void {
    this.release();
    this.#owner.abort();
  }

  /** Releases its resources, when the client has disconnected. */
  release(): void {
    this.#patience.end();
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#kept = [];
  }

  /** Writes after the events of this iteration: pieces go together, and no cork of the library is open. */
  #schedule(): void {
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #onWritable(): boolean {
    if (!this.#owner.isAnswering) return true;
    if (this.#blocked) this.#patience.wait();
    const isReported = this.#queuedBytes > 0;
    this.#test();
    // Nothing was written, so the library reports nothing; but the system has room for everything.
    if (!isReported) this.#clear();
    this.#pump();
    return true;
  }

  #try(): void {
    if (!this.#blocked) return;
    this.#test();
    this.#pump();
  }

  /**
   * Makes the library send what it keeps. A write of one byte shows whether everything was sent.
   */
  #test(): void {
    this.#response.cork(() => this.#writePart(1));
  }

  #pump(): void {
    while (!this.#blocked && this.#owner.isAnswering && (this.#queuedBytes > 0 || this.#ending)) {
      this.#response.cork(() => this.#fillCork());
    }
  }

  #fillCork(): void {
    const isSure = this.#writtenBytes + this.#queuedBytes <= SURE_BYTES;
    if (!isSure) this.#patience.begin();
    const tail = isSure ? 0 : TAIL_BYTES;
    if (this.#queuedBytes <= tail) this.#writePart(1);
    this.#writeUpTo(this.#queuedBytes <= tail ? 0 : tail);
    if (this.#ending && this.#queuedBytes === 0 && !this.#blocked) this.#finish();
  }

  /** Fills the cork with the queue, except for this many bytes at its end. */
  #writeUpTo(tail: number): void {
    let room = CORK_BYTES_MAX;
    while (room > 0 && this.#queuedBytes > tail && !this.#blocked) {
      room -= this.#writePart(Math.min(room, this.#queuedBytes - tail)) + FRAME_BYTES;
    }
  }

  /** Writes at most this many bytes of the first part; returns how many. */
  #writePart(bytesMax: number): number {
    const [part] = this.#queue;
    if (part === undefined) return 0;
    const { bytes, taken } = part;
    const piece = bytes.subarray(0, bytesMax);
    // `taken` may transfer the buffer, which then has no bytes.
    const pieceBytes = piece.byteLength;
    const isClear = this.#response.write(piece);
    this.#queuedBytes -= pieceBytes;
    this.#writtenBytes += pieceBytes;
    if (pieceBytes < bytes.byteLength) {
      this.#queue[0] = { bytes: bytes.subarray(bytesMax), taken };
    } else {
      this.#queue.shift();
      if (taken !== undefined) this.#kept.push(taken);
    }
    if (isClear) this.#clear();
    else this.#block();
    return pieceBytes;
  }

  #block(): void {
    if (this.#blocked) return;
    this.#blocked = true;
    this.#patience.wait();
  }

  #clear(): void {
    this.#blocked = false;
    this.#patience.waitNoMore();
    const kept = this.#kept;
    this.#kept = [];
    for (const taken of kept) taken();
  }

  /** Does not close the connection: the library would write that header into the body. */
  #finish(): void {
    if (!this.#owner.isAnswering) return;
    this.release();
    this.#owner.finish();
    this.#response.end();
  }
}
