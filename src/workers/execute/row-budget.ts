/** Counts the rows of an answer, including those of includes, against the limit. */
import { SourceError } from '../database/source-error.js';

export class RowBudget {
  #left: number;

  /** `rowsMax` 0: no limit. */
  constructor(rowsMax: number) {
    this.#left = rowsMax > 0 ? rowsMax : Number.POSITIVE_INFINITY;
  }

  /** How many rows to request from the database, one more than allowed; 0: all. */
  get rowsToAsk(): number {
    return this.#left === Number.POSITIVE_INFINITY ? 0 : this.#left + 1;
  }

  /** Throws `rows-over-limit` if there are more rows than allowed. */
  take(rows: number): void {
    this.#left -= rows;
    if (this.#left < 0) throw new SourceError('rows-over-limit');
  }
}
