/** The body of an import as it arrives. Its chunks are read one by one, and reported when used. */
import { SourceError } from '../database/source-error.js';
import type { Cancellation } from '../cancellation.js';

export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #cancellation: Cancellation;
  /** Reports that this many bytes were used. */
  readonly #taken: (bytes: number) => void;
  readonly #chunks: Uint8Array[] = [];
  #isComplete = false;
  #wake: () => void = () => undefined;

  constructor(cancellation: Cancellation, taken: (bytes: number) => void) {
    this.#cancellation = cancellation;
    this.#taken = taken;
  }

  push(bytes: Uint8Array, last: boolean): void {
    this.#chunks.push(bytes);
    this.#isComplete = last;
    this.#wake();
  }

  /** Yields the chunks in order; throws `cancelled` if the client has disconnected. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const forget = this.#cancellation.onCancel(() => this.#wake());
    try {
      while (await this.#arrival()) {
        for (const chunk of this.#chunks.splice(0)) {
          yield chunk;
          this.#taken(chunk.byteLength);
        }
      }
    } finally {
      forget();
    }
  }

  /** Waits for a chunk; returns false after the last one. */
  async #arrival(): Promise<boolean> {
    while (this.#chunks.length === 0 && !this.#isComplete && !this.#cancellation.isCancelled) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#cancellation.isCancelled) throw new SourceError('cancelled');
    return this.#chunks.length > 0;
  }
}
