/**
 * Splits the bytes of a socket into packets of MySQL's protocol (MariaDB manual, "0 - Packet"). A
 * hot path (bench, "point").
 */

import { ProtocolError } from '../protocol-error.js';

/** The length of a packet in three bytes, and its number. */
export const HEADER_BYTES = 4;
/** A packet of this length continues in the next one. */
export const PACKET_BYTES_MAX = 0xffffff;

/**
 * Receives the packet from `start` to `end`, and its number, which is that of its first piece. `follows`:
 * whether that is the number after the packet before it, as within an answer.
 */
export type TakePacket = (
  bytes: Buffer,
  start: number,
  end: number,
  number: number,
  follows: boolean,
) => void;

export class Deframer {
  readonly #packet: TakePacket;
  /** The start of a packet whose length is not known yet. */
  #header: Buffer | undefined;
  /** An incomplete packet without its header, and how much of it has arrived. */
  #partial: Buffer | undefined;
  #length = 0;
  /** Packets that continue in the next packet. */
  readonly #pieces: Buffer[] = [];
  /** The number of the first of them. */
  #first = 0;
  #number = 0;
  #follows = false;

  constructor(packet: TakePacket) {
    this.#packet = packet;
  }

  /**
   * Passes on the packets that end in `chunk`, whose buffer may be used again after the call. Throws
   * {@link ProtocolError} if a piece of a packet is missing.
   */
  take(chunk: Buffer): void {
    let bytes = chunk;
    if (this.#header) {
      bytes = Buffer.concat([this.#header, chunk]);
      this.#header = undefined;
    }
    let at = this.#partial ? this.#complete(this.#partial, bytes) : 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const start = at + HEADER_BYTES;
      const number = bytes[at + 3] ?? 0;
      this.#follows = number === ((this.#number + 1) & 255);
      this.#number = number;
      const end = start + lengthAt(bytes, at);
      if (end > bytes.length) {
        this.#partial = Buffer.allocUnsafe(end - start);
        this.#length = bytes.copy(this.#partial, 0, start);
        return;
      }
      this.#whole(bytes, start, end);
      at = end;
    }
    if (at < bytes.length) this.#header = Buffer.from(bytes.subarray(at));
  }

  /** Returns the offset of the next packet. */
  #complete(partial: Buffer, bytes: Buffer): number {
    const size = bytes.copy(partial, this.#length);
    this.#length += size;
    if (this.#length < partial.length) return size;
    this.#partial = undefined;
    this.#whole(partial, 0, partial.length);
    return size;
  }

  #whole(bytes: Buffer, start: number, end: number): void {
    if (this.#pieces.length > 0 && !this.#follows) throw new ProtocolError('A piece is missing.');
    if (end - start === PACKET_BYTES_MAX) {
      if (this.#pieces.length === 0) this.#first = this.#number;
      this.#pieces.push(Buffer.from(bytes.subarray(start, end)));
    } else if (this.#pieces.length > 0) {
      const joined = Buffer.concat([...this.#pieces.splice(0), bytes.subarray(start, end)]);
      this.#packet(joined, 0, joined.length, this.#first, true);
    } else this.#packet(bytes, start, end, this.#number, this.#follows);
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}
