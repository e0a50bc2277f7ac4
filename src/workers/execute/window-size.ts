/** How many rows of a root are stitched at a time: as many as memory may hold with their children. */

/** Rows before anything is known of them. */
const FIRST_ROWS = 250;
/** Bytes of a window with all that it includes. */
const WINDOW_BYTES = 1 << 20;
/** A window is at most so many times the one before, whose rows may have been small by chance. */
const GROWTH_MAX = 4;

export class WindowSize {
  readonly #rowsMax: number;
  #rows: number;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.#rows = Math.min(rowsMax, FIRST_ROWS);
  }

  /** Rows of the next window. */
  get rows(): number {
    return this.#rows;
  }

  /** A window of this number of rows had this number of bytes, including its children. */
  measure(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor((rows * WINDOW_BYTES) / Math.max(1, bytes));
    const most = Math.min(this.#rowsMax, rows * GROWTH_MAX);
    this.#rows = Math.max(1, Math.min(most, fitting));
  }
}
