/**
 * Takes the rows out of the bytes that come from PostgreSQL, before pg parses them: DataRow messages
 * go to the sink of the running step as they are, everything else goes on to pg. A hot path
 * (bench/micro, "rows").
 */

/**
 * Takes a row: the number of its fields stands at `start` of `bytes`, which nobody writes to, and the
 * length of its message in the four bytes before.
 */
export type ByteSink = (bytes: Buffer, start: number) => void;

/** Takes what is not a row. */
export type PassOn = (bytes: Buffer) => void;

const DATA_ROW = 0x44;
/** The code of a message and its length. */
const HEADER_BYTES = 5;

export class RowTap {
  /** Where rows go; undefined: to pg, like everything else. */
  sink: ByteSink | undefined;
  readonly #pass: PassOn;
  /** The beginning of a header. */
  #header: Buffer | undefined;
  /** What is still to come of a message that goes to pg. */
  #passing = 0;
  /** A row of which more is to come. */
  #row: Buffer | undefined;
  #rowLength = 0;

  constructor(pass: PassOn) {
    this.#pass = pass;
  }

  /** Takes what the socket has read. */
  take(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#header) {
      bytes = Buffer.concat([this.#header, chunk]);
      this.#header = undefined;
    }
    const start = this.#row ? this.#continueRow(bytes) : this.#continuePassing(bytes);
    if (start < bytes.length) this.#takeMessages(bytes, start);
  }

  #takeMessages(bytes: Buffer, start: number): void {
    let at = start;
    let passFrom = start;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (bytes[at] === DATA_ROW) {
        // What stands before may end the step, and so change the sink.
        if (passFrom < at) this.#pass(bytes.subarray(passFrom, at));
        passFrom = at;
        if (this.sink) {
          if (end > bytes.length) return this.#beginRow(bytes, at, end - at);
          this.sink(bytes, at + HEADER_BYTES);
          passFrom = end;
        }
      }
      at = end;
    }
    if (at > bytes.length) this.#passing = at - bytes.length;
    const passTo = Math.min(at, bytes.length);
    if (passFrom < passTo) this.#pass(bytes.subarray(passFrom, passTo));
    if (passTo < bytes.length) this.#header = Buffer.from(bytes.subarray(passTo));
  }

  /** Answers the offset of the next message. */
  #continuePassing(bytes: Buffer): number {
    if (this.#passing === 0) return 0;
    const size = Math.min(this.#passing, bytes.length);
    this.#passing -= size;
    this.#pass(bytes.subarray(0, size));
    return size;
  }

  #beginRow(bytes: Buffer, at: number, length: number): void {
    this.#row = Buffer.allocUnsafeSlow(length);
    this.#rowLength = bytes.copy(this.#row, 0, at);
  }

  #continueRow(bytes: Buffer): number {
    const row = this.#row ?? bytes;
    const size = bytes.copy(row, this.#rowLength);
    this.#rowLength += size;
    if (this.#rowLength < row.length) return size;
    this.#row = undefined;
    if (this.sink) this.sink(row, HEADER_BYTES);
    else this.#pass(row);
    return size;
  }
}
