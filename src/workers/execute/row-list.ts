/** A list of rows without includes, written row by row. */
import {
  type ByteWriter,
  type FetchedBytes,
  type OutputBytes,
  RowBytes,
} from '../../engine/index.js';

export class RowList {
  readonly out: OutputBytes;
  readonly #writer: ByteWriter;
  /** The row being written. */
  readonly #fetched: FetchedBytes = { rows: new RowBytes(), includes: [] };
  #length = 0;

  constructor(writer: ByteWriter, out: OutputBytes) {
    this.#writer = writer;
    this.out = out;
  }

  /** How many rows were written. */
  get length(): number {
    return this.#length;
  }

  /** Writes a row; the bytes are used only during the call. */
  add(bytes: Uint8Array, start: number): void {
    const { frame } = this.#writer;
    this.#fetched.rows.set(bytes, start);
    this.out.constant(this.#length === 0 ? frame.open : frame.separator);
    this.#writer.row(this.out, this.#fetched, 0);
    this.#length += 1;
  }

  end(): void {
    const { frame } = this.#writer;
    this.out.constant(this.#length === 0 ? frame.empty : frame.close);
  }
}
