/** Collects bytes in pieces, and joins them on demand. */

export class GatheredBytes {
  #pieces: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Keeps the piece without copying it. */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** All bytes as one piece. */
  all(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pieces;
    const joined = others.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  /** All bytes as one piece; the collection is empty afterwards. */
  take(): Buffer {
    const all = this.all();
    this.#pieces = [];
    this.#length = 0;
    return all;
  }
}
