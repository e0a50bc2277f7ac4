/**
 * Takes the rows out of the bytes that come from PostgreSQL, before pg parses them: DataRow messages
 * go to the sink of the running step as they are, everything else goes on to pg. A hot path
 * (bench/micro, "rows").
 */

/**
 * Takes a row: the number of its fields stands at `start` of `bytes`, and the length of its message in
 * the four bytes before.
 */
export type ByteSink = (bytes: Buffer, start: number) => void;

/** Who takes rows. */
export interface TapSink {
  readonly take: ByteSink;
  /** Whether it keeps the bytes beyond its call, so that nobody may write to them. */
  readonly keeps: boolean;
}

/** Takes all that is read, as it comes. */
export interface ByteReader {
  /** `isLent`: the buffer is used again. */
  take(bytes: Buffer, isLent: boolean): void;
  /** Takes back what it has of a message that has not wholly come. */
  rest(): Buffer;
}

/** Takes what is not a row; the bytes are its own. */
export type PassOn = (bytes: Buffer) => void;

const DATA_ROW = 0x44;
/** It tells nothing that anyone waits for, and comes once a statement. */
const BIND_COMPLETE = 0x32;
/** The code of a message and its length. */
const HEADER_BYTES = 5;

export class RowTap {
  /** Where rows go; undefined: to pg, like everything else. */
  sink: TapSink | undefined;
  /** Takes everything in place of the tap; it comes only when `isBetweenMessages`. */
  reader: ByteReader | undefined;
  readonly #pass: PassOn;
  /** The beginning of a header. */
  #header: Buffer | undefined;
  /** What is still to come of a message that goes to pg. */
  #passing = 0;
  /** A row of which more is to come. */
  #row: Buffer | undefined;
  #rowLength = 0;
  /** Whether what was read stands in a buffer that is used again. */
  #isLent = false;

  constructor(pass: PassOn) {
    this.#pass = pass;
  }

  get isBetweenMessages(): boolean {
    return !this.#header && !this.#row && this.#passing === 0;
  }

  /** Takes what the socket has read. `isLent`: into a buffer that it is going to use again. */
  take(chunk: Buffer, isLent: boolean): void {
    if (this.reader) return this.#takeWith(this.reader, chunk, isLent);
    let bytes = chunk;
    if (this.#header) {
      bytes = Buffer.concat([this.#header, chunk]);
      this.#header = undefined;
    }
    this.#isLent = isLent && bytes === chunk;
    const start = this.#row ? this.#continueRow(bytes) : this.#continuePassing(bytes);
    if (start < bytes.length) this.#takeMessages(bytes, start);
  }

  /** A reader may go at a message, with more behind it. */
  #takeWith(reader: ByteReader, chunk: Buffer, isLent: boolean): void {
    reader.take(chunk, isLent);
    if (this.reader !== reader) this.take(reader.rest(), false);
  }

  /** Passes a message on that its reader has no use for. */
  pass(message: Buffer): void {
    this.#pass(Buffer.from(message));
  }

  #takeMessages(read: Buffer, start: number): void {
    let bytes = read;
    let at = start;
    let passFrom = start;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1);
      if (bytes[at] === DATA_ROW) {
        // What stands before may end the step, and so change the sink.
        if (passFrom < at) this.#passOn(bytes, passFrom, at);
        passFrom = at;
        if (this.sink) {
          if (end > bytes.length) return this.#beginRow(bytes, at, end - at);
          if (this.sink.keeps) bytes = this.#ownBytes(bytes);
          this.sink.take(bytes, at + HEADER_BYTES);
          passFrom = end;
        }
      } else if (bytes[at] === BIND_COMPLETE && end <= bytes.length) {
        if (passFrom < at) this.#passOn(bytes, passFrom, at);
        passFrom = end;
      }
      at = end;
    }
    if (at > bytes.length) this.#passing = at - bytes.length;
    const passTo = Math.min(at, bytes.length);
    if (passFrom < passTo) this.#passOn(bytes, passFrom, passTo);
    if (passTo < bytes.length) this.#header = Buffer.from(bytes.subarray(passTo));
  }

  /** Answers the offset of the next message. */
  #continuePassing(bytes: Buffer): number {
    if (this.#passing === 0) return 0;
    const size = Math.min(this.#passing, bytes.length);
    this.#passing -= size;
    this.#passOn(bytes, 0, size);
    return size;
  }

  /** pg keeps what it cannot yet read of a message. */
  #passOn(bytes: Buffer, start: number, end: number): void {
    const part = bytes.subarray(start, end);
    this.#pass(this.#isLent ? Buffer.from(part) : part);
  }

  #ownBytes(bytes: Buffer): Buffer {
    if (!this.#isLent) return bytes;
    this.#isLent = false;
    return Buffer.from(bytes);
  }

  #beginRow(bytes: Buffer, at: number, length: number): void {
    this.#row = Buffer.allocUnsafe(length);
    this.#rowLength = bytes.copy(this.#row, 0, at);
  }

  #continueRow(bytes: Buffer): number {
    const row = this.#row ?? bytes;
    const size = bytes.copy(row, this.#rowLength);
    this.#rowLength += size;
    if (this.#rowLength < row.length) return size;
    this.#row = undefined;
    if (this.sink) this.sink.take(row, HEADER_BYTES);
    else this.#pass(row);
    return size;
  }
}
