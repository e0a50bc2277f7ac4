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
/** Longer messages are not buffered. */
export const BUFFERED_BYTES_MAX = 128 * 1024 * 1024;

export interface MessageReader {
  /** `start` is the position of its code. Its bytes may be used only during the call. */
  message(code: number, bytes: Buffer, start: number, end: number): void;
  /** A message is longer than {@link BUFFERED_BYTES_MAX}. Its bytes are discarded as they arrive. */
  discarded(code: number, length: number): void;
}

export class Deframer {
  readonly #reader: MessageReader;
  /** The start of a message whose length is not known yet. */
  #header: Buffer | undefined;
  /** An incomplete message, and the number of its bytes that have arrived. */
  #message: Buffer | undefined;
  #length = 0;
  /** How many bytes of a discarded message have not arrived. */
  #unwanted = 0;

  constructor(reader: MessageReader) {
    this.#reader = reader;
  }

  /** The buffer may be used again after the call. Throws {@link ProtocolError} for an impossible length. */
  take(chunk: Buffer): void {
    const unwanted = Math.min(this.#unwanted, chunk.length);
    this.#unwanted -= unwanted;
    let bytes = unwanted > 0 ? chunk.subarray(unwanted) : chunk;
    if (this.#header) {
      bytes = Buffer.concat([this.#header, bytes]);
      this.#header = undefined;
    }
    let at = this.#message ? this.#complete(this.#message, bytes) : 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const length = bytes.readInt32BE(at + 1);
      if (length < LENGTH_MIN || length > LENGTH_MAX) {
        throw new ProtocolError(`A message has the length ${length}.`);
      }
      const end = at + 1 + length;
      if (end > bytes.length && length > BUFFERED_BYTES_MAX) {
        this.#unwanted = end - bytes.length;
        return this.#reader.discarded(bytes[at] ?? 0, length);
      }
      if (end > bytes.length) {
        // The system provides memory only for the bytes that arrive.
        this.#message = Buffer.allocUnsafe(end - at);
        this.#length = bytes.copy(this.#message, 0, at);
        return;
      }
      this.#reader.message(bytes[at] ?? 0, bytes, at, end);
      at = end;
    }
    if (at < bytes.length) this.#header = Buffer.from(bytes.subarray(at));
  }

  /** Adds bytes to the incomplete message. Returns the offset of the next message. */
  #complete(message: Buffer, bytes: Buffer): number {
    const size = bytes.copy(message, this.#length);
    this.#length += size;
    if (this.#length < message.length) return size;
    this.#message = undefined;
    this.#reader.message(message[0] ?? 0, message, 0, message.length);
    return size;
  }
}
