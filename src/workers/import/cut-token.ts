/** A token of which the rest is still to come: its pieces, within a bound. */
import { JsonFault } from './json-fault.js';

const TOKEN_BYTES_MAX = 64 << 20;

export type TokenKind = 'text' | 'number' | 'name';

export class CutToken {
  readonly kind: TokenKind;
  /** Where it begins in the document, in bytes. */
  readonly offset: number;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(kind: TokenKind, offset: number) {
    this.kind = kind;
    this.offset = offset;
  }

  /** Keeps a copy. */
  add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > TOKEN_BYTES_MAX) {
      const megabytes = TOKEN_BYTES_MAX >> 20;
      throw new JsonFault(`The value at byte ${this.offset} is longer than ${megabytes} MiB.`);
    }
    this.#pieces.push(Buffer.from(piece));
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
