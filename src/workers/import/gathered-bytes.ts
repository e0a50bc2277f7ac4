/** Bytes that are gathered piece by piece, and joined when they are asked for. */

export class GatheredBytes {
  #pieces: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Keeps the piece itself. */
  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** All of them in one piece. */
  all(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pieces;
    const joined = others.length === 0 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }

  /** Gives them away. */
  take(): Buffer {
    const all = this.all();
    this.#pieces = [];
    this.#length = 0;
    return all;
  }
}
