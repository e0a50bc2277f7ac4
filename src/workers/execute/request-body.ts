/** The body of an import as it arrives: chunks that are read one by one and paid back as used. */
import { SourceError } from '../database/source-error.js';
import type { Cancellation } from '../cancellation.js';

export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #cancellation: Cancellation;
  /** Tells the gateway that so many bytes were used. */
  readonly #taken: (bytes: number) => void;
  readonly #chunks: Uint8Array[] = [];
  #isComplete = false;
  #wake: () => void = () => undefined;

  constructor(cancellation: Cancellation, taken: (bytes: number) => void) {
    this.#cancellation = cancellation;
    this.#taken = taken;
  }

  /** A chunk has come. */
  push(bytes: Uint8Array, last: boolean): void {
    this.#chunks.push(bytes);
    this.#isComplete = last;
    this.#wake();
  }

  /** Yields each chunk in turn; throws `cancelled` when the client has gone away. */
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

  /** Waits for a chunk; false: there are no more. */
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
