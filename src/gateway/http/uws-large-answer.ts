/**
 * Sends an answer of known length that may be more than a socket takes at once, without handing the
 * rest to uWebSockets.js: what `tryEnd` did not take is offered again, from the write offset on.
 */
import { StallGuard } from './stall-guard.js';
import type { AnswerOwner, UwsResponse } from './uws-response.js';

export class UwsLargeAnswer {
  readonly #response: UwsResponse;
  readonly #bytes: Uint8Array;
  readonly #base: number;
  readonly #owner: AnswerOwner;
  readonly #guard: StallGuard;

  constructor(response: UwsResponse, bytes: Uint8Array, owner: AnswerOwner) {
    this.#response = response;
    this.#bytes = bytes;
    this.#base = response.getWriteOffset();
    this.#owner = owner;
    this.#guard = new StallGuard(owner.writeStallMs, () => owner.cut());
  }

  /** Begins to send; to be called in a cork, with the head written. */
  send(): void {
    this.#response.onWritable(() => !this.#owner.isOpen() || this.#offer());
    this.#offer();
  }

  /** Frees what it holds: nobody reads any more. */
  release(): void {
    this.#guard.stop();
  }

  /** Offers the rest; tells whether the socket took all of it. */
  #offer(): boolean {
    const rest = this.#bytes.subarray(this.#response.getWriteOffset() - this.#base);
    const [isTaken, isComplete] = this.#response.tryEnd(rest, this.#bytes.byteLength);
    if (isComplete) {
      this.#guard.stop();
      this.#owner.finished();
    } else {
      this.#guard.start();
    }
    return isTaken;
  }
}
