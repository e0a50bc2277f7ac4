/**
 * Sends an answer of known length that may be more than a socket takes at once, without handing the
 * rest to uWebSockets.js: what `tryEnd` did not take is offered again, from the write offset on.
 */
import type { Patience } from './patience.js';
import {
  type UwsAnswerOwner,
  CORK_BYTES_MAX,
  uwsPatience,
  type UwsResponse,
} from './uws-response.js';

export class UwsLargeAnswer {
  readonly #response: UwsResponse;
  readonly #bytes: Uint8Array;
  readonly #base: number;
  readonly #owner: UwsAnswerOwner;
  readonly #patience: Patience;
  #offset = 0;

  constructor(response: UwsResponse, bytes: Uint8Array, owner: UwsAnswerOwner) {
    this.#response = response;
    this.#bytes = bytes;
    this.#base = response.getWriteOffset();
    this.#owner = owner;
    this.#patience = uwsPatience(response, owner, () => this.#try());
  }

  /** Begins to send; to be called in a cork, with the head written. */
  send(): void {
    this.#response.onWritable(() => !this.#owner.isOpen() || this.#onWritable());
    this.#onWritable();
  }

  /** Frees what it holds: nobody reads any more. */
  release(): void {
    this.#patience.end();
  }

  /** Outside of a cork, what `tryEnd` has taken the socket has taken. */
  #onWritable(): boolean {
    const isTaken = this.#offer(this.#bytes.byteLength);
    if (this.#owner.isOpen()) this.#patience.wait();
    return isTaken;
  }

  /**
   * Offers something in a cork, of which the library keeps what the socket does not take: of a rest that
   * fits the cork, the last byte is left, which is accepted only once nothing is kept.
   */
  #try(): void {
    const rest = this.#bytes.byteLength - this.#offset;
    const isKept = rest > 1 && rest <= CORK_BYTES_MAX;
    const before = this.#offset;
    this.#response.cork(() => this.#offer(isKept ? rest - 1 : rest));
    if (this.#owner.isOpen() && this.#offset > before) this.#patience.wait();
  }

  /** Offers so many bytes of the rest; tells whether they are taken. */
  #offer(bytesMax: number): boolean {
    const piece = this.#bytes.subarray(this.#offset, this.#offset + bytesMax);
    const [isTaken, isComplete] = this.#response.tryEnd(piece, this.#bytes.byteLength);
    if (isComplete) {
      this.#patience.end();
      this.#owner.finished();
    } else {
      this.#offset = this.#response.getWriteOffset() - this.#base;
    }
    return isTaken;
  }
}
