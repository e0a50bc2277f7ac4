/** The bytes that the rows of a batch may take in memory; with more, each member streams its own. */
import { SourceError } from '../database/source-error.js';
import type { ByteBudget } from '../database/source.js';

const BATCH_BYTES_MAX = 8 << 20;

export class BatchBytes implements ByteBudget {
  #left = BATCH_BYTES_MAX;

  /** The part that is used up. */
  get fill(): number {
    return 1 - this.#left / BATCH_BYTES_MAX;
  }

  /** Throws `rows-over-limit` when they are more than are allowed. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new SourceError('rows-over-limit');
  }
}
