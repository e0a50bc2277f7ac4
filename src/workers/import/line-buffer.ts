/** Bytes of lines that wait to be sent, in one buffer that grows as they need. */

const FIRST_BYTES = 64 * 1024;

export class LineBuffer {
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Makes room for `count` bytes, and gives the buffer that has it. */
  reserve(count: number): Buffer {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, FIRST_BYTES));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    return this.#bytes;
  }

  /** Tells that the buffer is filled up to `length`. */
  filledTo(length: number): void {
    this.#length = length;
  }

  write(text: string): void {
    // A UTF-16 unit becomes three bytes at most.
    const bytes = this.reserve(3 * text.length);
    this.#length += bytes.write(text, this.#length, 'utf8');
  }

  /** Gives the bytes away. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(0);
    this.#length = 0;
    return taken;
  }
}
