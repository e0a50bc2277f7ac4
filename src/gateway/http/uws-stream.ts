/**
 * A chunked answer on uWebSockets.js. Its `write` always takes the piece, and says `false` when it had
 * to keep some of it: nothing more is written before `onWritable`, so that at most one piece waits
 * inside the library, and the rest here, bounded by the credit that the worker was given.
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
  onDrain(): void;
  readonly writeStallMs: number;
}

export class UwsAnswerStream implements AnswerStream {
  readonly #response: HttpResponse;
  readonly #owner: StreamOwner;
  readonly #guard: StallGuard;
  readonly #queue: Uint8Array[] = [];
  #blocked = false;
  #ending = false;

  constructor(response: HttpResponse, owner: StreamOwner) {
    this.#response = response;
    this.#owner = owner;
    this.#guard = new StallGuard(owner.writeStallMs, () => owner.cut());
    if (owner.isOpen()) response.onWritable(() => this.#onWritable());
  }

  write(bytes: Uint8Array): boolean {
    if (!this.#owner.isOpen()) return true;
    if (bytes.byteLength > 0) this.#queue.push(bytes);
    this.#pump();
    return !this.#blocked;
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
    this.#pump();
    if (!this.#blocked && !this.#ending) this.#owner.onDrain();
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
    if (head.byteLength > WRITE_BYTES_MAX) this.#queue[0] = head.subarray(WRITE_BYTES_MAX);
    else this.#queue.shift();
    if (this.#response.write(head.subarray(0, WRITE_BYTES_MAX))) return;
    this.#blocked = true;
    this.#guard.start();
  }

  /** Without asking to close the connection: the library would write that header into the body. */
  #finish(): void {
    this.#owner.finished();
    this.#response.end();
  }
}
