/**
 * A chunked answer on uWebSockets.js. Its `write` always takes the piece, and says `false` when it had
 * to keep some of it: nothing more is written before `onWritable`, so that at most one piece waits
 * inside the library, and the rest here, bounded by what the writer lets wait.
 */
import type { HttpResponse } from 'uWebSockets.js';
import type { AnswerStream } from './exchange.js';
import { StallGuard } from './stall-guard.js';
import { WRITE_BYTES_MAX } from './uws-large-answer.js';

/** The side of the exchange that owns the response. */
export interface StreamOwner {
  isOpen(): boolean;
  finished(): void;
  cut(): void;
  readonly writeStallMs: number;
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly taken: (() => void) | undefined;
}

export class UwsAnswerStream implements AnswerStream {
  readonly #response: HttpResponse;
  readonly #owner: StreamOwner;
  readonly #guard: StallGuard;
  readonly #queue: Piece[] = [];
  /** Of the piece of which the library has kept something. */
  #kept: (() => void) | undefined;
  #blocked = false;
  #ending = false;

  constructor(response: HttpResponse, owner: StreamOwner) {
    this.#response = response;
    this.#owner = owner;
    this.#guard = new StallGuard(owner.writeStallMs, () => owner.cut());
    if (owner.isOpen()) response.onWritable(() => this.#onWritable());
  }

  write(bytes: Uint8Array, taken?: () => void): void {
    if (!this.#owner.isOpen()) return;
    if (bytes.byteLength > 0) this.#queue.push({ bytes, taken });
    this.#pump();
  }

  end(): void {
    this.#ending = true;
    this.#pump();
  }

  abort(): void {
    this.#guard.stop();
    this.#owner.cut();
  }

  #onWritable(): boolean {
    this.#guard.stop();
    if (!this.#owner.isOpen()) return true;
    this.#blocked = false;
    this.#kept?.();
    this.#kept = undefined;
    this.#pump();
    return true;
  }

  #pump(): void {
    if (this.#blocked || !this.#owner.isOpen()) return;
    this.#response.cork(() => {
      while (!this.#blocked && this.#queue.length > 0) this.#writePiece();
      if (this.#ending && !this.#blocked) this.#finish();
    });
  }

  #writePiece(): void {
    const head = this.#queue[0];
    if (head === undefined) return;
    const { bytes, taken } = head;
    const isLast = bytes.byteLength <= WRITE_BYTES_MAX;
    if (isLast) this.#queue.shift();
    else this.#queue[0] = { bytes: bytes.subarray(WRITE_BYTES_MAX), taken };
    if (this.#response.write(bytes.subarray(0, WRITE_BYTES_MAX))) {
      if (isLast) taken?.();
      return;
    }
    if (isLast) this.#kept = taken;
    this.#blocked = true;
    this.#guard.start();
  }

  /** Without asking to close the connection: the library would write that header into the body. */
  #finish(): void {
    this.#owner.finished();
    this.#response.end();
  }
}
