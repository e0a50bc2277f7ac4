/**
 * Sends an answer of known length that the socket may not take at once. uWebSockets.js never gets
 * to keep the rest: what `tryEnd` did not take is offered again, from the write offset.
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
  #bytes: Uint8Array;
  readonly #base: number;
  readonly #owner: UwsAnswerOwner;
  readonly #patience: Patience;
  #offset = 0;

  /** The bytes may change after `send`. */
  constructor(response: UwsResponse, bytes: Uint8Array, owner: UwsAnswerOwner) {
    this.#response = response;
    this.#bytes = bytes;
    this.#base = response.getWriteOffset();
    this.#owner = owner;
    this.#patience = uwsPatience(response, owner, () => this.#try());
  }

  /** Starts to send. Must be called in a cork, after the headers. */
  send(): void {
    this.#response.onWritable(() => !this.#owner.isAnswering || this.#onWritable());
    this.#onWritable();
    // Usually the socket has taken everything, and nothing is copied.
    if (this.#owner.isAnswering) this.#bytes = new Uint8Array(this.#bytes);
  }

  /** Releases its resources, when the client has disconnected. */
  release(): void {
    this.#patience.end();
  }

  /** Outside a cork, the socket has taken everything that `tryEnd` accepted. */
  #onWritable(): boolean {
    const isTaken = this.#offer(this.#bytes.byteLength);
    if (this.#owner.isAnswering) this.#patience.wait();
    return isTaken;
  }

  /**
   * Offers bytes in a cork, where the library keeps what the socket does not take. If the rest fits
   * in the cork, its last byte is held back: it is accepted only when the library keeps nothing.
   */
  #try(): void {
    const rest = this.#bytes.byteLength - this.#offset;
    const isKept = rest > 1 && rest <= CORK_BYTES_MAX;
    const before = this.#offset;
    this.#response.cork(() => this.#offer(isKept ? rest - 1 : rest));
    if (this.#owner.isAnswering && this.#offset > before) this.#patience.wait();
  }

  /** Offers this many bytes of the rest; returns whether they were accepted. */
  #offer(bytesMax: number): boolean {
    const piece = this.#bytes.subarray(this.#offset, this.#offset + bytesMax);
    const [isTaken, isComplete] = this.#response.tryEnd(piece, this.#bytes.byteLength);
    if (isComplete) {
      this.#patience.end();
      this.#owner.finish();
    } else {
      this.#offset = this.#response.getWriteOffset() - this.#base;
    }
    return isTaken;
  }
}
