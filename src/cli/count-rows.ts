/** Counts the rows of an import document as its bytes pass. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The brackets around a row: the document, its list, an entity and the list of its rows. */
const ROW_DEPTH = 4;

/** Takes the bytes in pieces of any size. If they are not JSON, the count is meaningless. */
export class RowCount {
  #rows = 0;
  #depth = 0;
  #isInText = false;
  #isAfterBackslash = false;

  /** The rows that have begun, including nested ones. */
  get rows(): number {
    return this.#rows;
  }

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isAfterBackslash) this.#isAfterBackslash = false;
      else if (byte === QUOTE) this.#isInText = !this.#isInText;
      else if (this.#isInText) this.#isAfterBackslash = byte === BACKSLASH;
      else this.#takeBracket(byte);
    }
  }

  #takeBracket(byte: number): void {
    // `{`, `[`, `}`, `]`
    if (byte === 0x7b && this.#depth >= ROW_DEPTH) this.#rows += 1;
    if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
  }
}
