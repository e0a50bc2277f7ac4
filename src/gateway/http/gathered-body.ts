/** A body that comes in pieces, put together in one buffer: no piece is kept beside it. */

const FIRST_BYTES = 64 * 1024;

export class GatheredBody {
  #bytes: Buffer;
  #size = 0;

  /** `announced`: how many bytes are said to come, no more than are allowed; 0: nobody knows. */
  constructor(announced: number) {
    // Memory that nobody has written to is not taken from the system yet.
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, announced));
  }

  /** Adds a piece, which may be reused afterwards. */
  add(piece: ArrayBuffer): void {
    const wanted = this.#size + piece.byteLength;
    if (wanted > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    this.#bytes.set(new Uint8Array(piece), this.#size);
    this.#size = wanted;
  }

  /** The whole. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }
}
