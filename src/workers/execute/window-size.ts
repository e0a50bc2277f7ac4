/** How many root rows are read at a time, so that they fit in memory with their children. */

/** The rows of the first window. */
const FIRST_ROWS = 250;
/** The bytes of a window with its included rows. */
const WINDOW_BYTES = 1 << 20;
/**
 * A window can be this many times larger than the previous one, whose rows may have been small by
 * chance.
 */
const GROWTH_MAX = 4;

export class WindowSize {
  readonly #rowsMax: number;
  #rows: number;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.#rows = Math.min(rowsMax, FIRST_ROWS);
  }

  /** The rows of the next window. */
  get rows(): number {
    return this.#rows;
  }

  /** Records that a window of this many rows had this many bytes, including its children. */
  measure(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor((rows * WINDOW_BYTES) / Math.max(1, bytes));
    const most = Math.min(this.#rowsMax, rows * GROWTH_MAX);
    this.#rows = Math.max(1, Math.min(most, fitting));
  }
}
