/**
 * Splits the bytes of a socket into PostgreSQL messages (manual, protocol-message-formats). A hot
 * path (bench, "point").
 */

import { ProtocolError } from '../protocol-error.js';

/** The size of a message's code and length. */
export const HEADER_BYTES = 5;
/** The limits of a message's length, which counts its own four bytes. The server allocates no more. */
const LENGTH_MIN = 4;
const LENGTH_MAX = 0x3fffffff;
/** How much memory is allocated beyond the bytes of a message that have arrived. */
const AHEAD_BYTES = 1 << 20;

export interface MessageReader {
  /** `start` is the position of its code. Its bytes may be used only during the call. */
  message(code: number, bytes: Buffer, start: number, end: number): void;
}

export class Deframer {
  readonly #reader: MessageReader;
  /** The start of a message whose length is not known yet. */
  #header: Buffer | undefined;
  /** An incomplete message, the number of its bytes that have arrived, and its size. */
  #message: Buffer | undefined;
  #length = 0;
  #size = 0;

  constructor(reader: MessageReader) {
    this.#reader = reader;
  }

  /** The buffer may be used again after the call. Throws {@link ProtocolError} for an impossible length. */
  take(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#header) {
      bytes = Buffer.concat([this.#header, chunk]);
      this.#header = undefined;
    }
    let at = this.#message ? this.#complete(this.#message, bytes) : 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const length = bytes.readInt32BE(at + 1);
      if (length < LENGTH_MIN || length > LENGTH_MAX) {
        throw new ProtocolError(`A message has the length ${length}.`);
      }
      const end = at + 1 + length;
      if (end > bytes.length) {
        this.#size = end - at;
        this.#message = Buffer.allocUnsafe(Math.min(this.#size, bytes.length - at + AHEAD_BYTES));
        this.#length = bytes.copy(this.#message, 0, at);
        return;
      }
      this.#reader.message(bytes[at] ?? 0, bytes, at, end);
      at = end;
    }
    if (at < bytes.length) this.#header = Buffer.from(bytes.subarray(at));
  }

  /** Adds bytes to the incomplete message. Returns the offset of the next message. */
  #complete(partial: Buffer, bytes: Buffer): number {
    const size = Math.min(bytes.length, this.#size - this.#length);
    const message = this.#withRoom(partial, this.#length + size);
    bytes.copy(message, this.#length, 0, size);
    this.#length += size;
    if (this.#length < this.#size) return size;
    this.#message = undefined;
    this.#reader.message(message[0] ?? 0, message, 0, message.length);
    return size;
  }

  #withRoom(message: Buffer, bytes: number): Buffer {
    if (bytes <= message.length) return message;
    const grown = Buffer.allocUnsafe(Math.min(this.#size, 2 * bytes));
    message.copy(grown, 0, 0, this.#length);
    this.#message = grown;
    return grown;
  }
}
