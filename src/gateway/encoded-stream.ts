/** Compresses a streamed answer. */
import type { Transform } from 'node:stream';
import { type Coding, createEncoder } from './content-coding.js';
import type { AnswerStream } from './http/exchange.js';

/**
 * A streamed answer that is compressed. Bytes count as taken when they have been compressed, which
 * waits while the socket takes nothing. So a slow reader slows down the writer here, too.
 */
export class EncodedStream implements AnswerStream {
  readonly #encoder: Transform;
  readonly #answer: AnswerStream;
  /** Compressed pieces that the socket has not taken. */
  #unsent = 0;

  /** `failed` is called when compressing fails. */
  constructor(coding: Coding, answer: AnswerStream, failed: (error: Error) => void) {
    this.#answer = answer;
    this.#encoder = createEncoder(coding);
    this.#encoder.on('data', (bytes: Buffer) => this.#pass(bytes));
    this.#encoder.on('end', () => this.#answer.end());
    this.#encoder.on('error', failed);
  }

  get waitingBytes(): number {
    const { destroyed, writableLength } = this.#encoder;
    // A destroyed encoder still counts what it will never compress.
    return (destroyed ? 0 : writableLength) + this.#answer.waitingBytes;
  }

  write(bytes: Uint8Array, taken?: () => void): void {
    if (bytes.byteLength === 0 || this.#encoder.destroyed) return;
    this.#encoder.write(bytes, (error) => {
      if (!error && !this.#encoder.destroyed) taken?.();
    });
  }

  end(): void {
    this.#encoder.end();
  }

  abort(): void {
    this.release();
    this.#answer.abort();
  }

  /** Frees the compressor when nobody reads any more. */
  release(): void {
    this.#encoder.destroy();
  }

  #pass(bytes: Uint8Array): void {
    this.#unsent += 1;
    this.#answer.write(bytes, () => this.#onTaken());
    if (this.#unsent > 0) this.#encoder.pause();
  }

  #onTaken(): void {
    this.#unsent -= 1;
    if (this.#unsent === 0 && !this.#encoder.destroyed) this.#encoder.resume();
  }
}
