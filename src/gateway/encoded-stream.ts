/** A streamed answer that is compressed on its way. */
import type { Transform } from 'node:stream';
import { type Coding, createEncoder } from './content-coding.js';
import type { AnswerStream } from './http/exchange.js';

/** The client's side of a compressed answer. */
export interface EncodedStreamOwner {
  /** Begins the answer itself. */
  begin(onDrain: () => void): AnswerStream;
  /** All that was written has been taken. */
  onDrain(): void;
  failed(error: Error): void;
}

/**
 * Compresses a streamed answer. What is written counts as taken once it is compressed and the socket
 * takes more, so that a slow reader holds back the writer as it does without.
 */
export class EncodedStream implements AnswerStream {
  readonly #encoder: Transform;
  readonly #answer: AnswerStream;
  readonly #owner: EncodedStreamOwner;
  /** Pieces that are not compressed yet. */
  #waiting = 0;
  #isBlocked = false;

  constructor(coding: Coding, owner: EncodedStreamOwner) {
    this.#owner = owner;
    this.#answer = owner.begin(() => this.#onDrain());
    this.#encoder = createEncoder(coding);
    this.#encoder.on('data', (bytes: Buffer) => this.#pass(bytes));
    this.#encoder.on('end', () => this.#answer.end());
    this.#encoder.on('error', (error) => owner.failed(error));
  }

  write(bytes: Uint8Array): boolean {
    if (bytes.byteLength === 0 || this.#encoder.destroyed) return true;
    this.#waiting += 1;
    this.#encoder.write(bytes, (error) => {
      this.#waiting -= 1;
      if (!error) this.#tellTaken();
    });
    return false;
  }

  end(): void {
    this.#encoder.end();
  }

  abort(): void {
    this.release();
    this.#answer.abort();
  }

  /** Frees what compressing holds: nobody reads any more. */
  release(): void {
    this.#encoder.destroy();
  }

  #pass(bytes: Uint8Array): void {
    if (this.#answer.write(bytes)) return;
    this.#isBlocked = true;
    this.#encoder.pause();
  }

  #onDrain(): void {
    if (!this.#isBlocked || this.#encoder.destroyed) return;
    this.#isBlocked = false;
    this.#encoder.resume();
    this.#tellTaken();
  }

  #tellTaken(): void {
    if (this.#encoder.destroyed || this.#isBlocked || this.#waiting > 0) return;
    this.#owner.onDrain();
  }
}
