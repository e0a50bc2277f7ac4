/** A whole answer that is buffered until its transaction has committed, up to a limit. */
import { OutputBytes } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { RowsAnswer } from './read.js';

const FIRST_BYTES = 1024;

export class UncommittedAnswer implements RowsAnswer {
  readonly out = new OutputBytes(FIRST_BYTES);
  rows = 0;
  readonly isFull = false;
  /** The cursor of the next page, if there may be one. */
  next: string | undefined;
  readonly #bytesMax: number;
  #taken = 0;

  /** `bytesMax` limits all pieces together. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Throws `answer-too-large`. */
  written(): void {
    if (this.#taken + this.out.length > this.#bytesMax) throw new SourceError('answer-too-large');
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  /** The bytes written since the previous piece. */
  takePiece(): Buffer {
    const piece = Buffer.from(this.out.take().buffer);
    this.#taken += piece.length;
    return piece;
  }
}
