/**
 * Writes commands of the protocol of MySQL and MariaDB (manual, "Clients and Utilities: Protocol")
 * into one buffer, so that a pipeline is one write to the socket.
 */
import type { PropertyType } from '../../../engine/index.js';
import { GrowingBuffer } from '../growing-buffer.js';
import type { Statement } from '../statement.js';
import { HEADER_BYTES, PACKET_BYTES_MAX } from './deframer.js';

const EXECUTE = 0x17;
const QUERY = 0x03;
const PREPARE = 0x16;
const CLOSE = 0x19;
const FETCH = 0x1c;

/** The types of parameters. */
const LONGLONG = 8;
const DOUBLE = 5;
const NEWDECIMAL = 0xf6;
const VAR_STRING = 0xfd;
const BLOB = 0xfc;

/** Collects commands until `take` returns them. Its buffer is reused. */
export class PacketWriter extends GrowingBuffer {
  /** In how many packets the latest command was written. */
  #pieces = 1;

  /** Executes a prepared statement. With `hasCursor`, its rows are fetched later. */
  execute(id: number, statement: Statement, hasCursor: boolean): void {
    const start = this.#begin(EXECUTE);
    this.#int32(id);
    this.#byte(hasCursor ? 1 : 0);
    this.#int32(1);
    if (statement.parameters.length > 0) this.#parameters(statement);
    this.#end(start);
  }

  fetch(id: number, rows: number): void {
    const start = this.#begin(FETCH);
    this.#int32(id);
    this.#int32(rows);
    this.#end(start);
  }

  /** Closes a prepared statement, and its cursor. */
  close(id: number): void {
    const start = this.#begin(CLOSE);
    this.#int32(id);
    this.#end(start);
  }

  prepare(text: string): void {
    this.#command(PREPARE, text);
  }

  /** Executes a statement without parameters or rows, as text. */
  query(text: string): void {
    this.#command(QUERY, text);
  }

  /** The number of the first packet that answers the latest command: the server counts on. */
  get answerNumber(): number {
    return this.#pieces & 255;
  }

  #command(command: number, text: string): void {
    const start = this.#begin(command);
    this.reserve(text.length * 3);
    this.length += this.buffer.write(text, this.length, 'utf8');
    this.#end(start);
  }

  #parameters({ parameters, types }: Statement): void {
    const nulls = this.length;
    const nullBytes = (parameters.length + 7) >> 3;
    this.reserve(nullBytes + 1 + parameters.length * 2);
    this.buffer.fill(0, nulls, nulls + nullBytes);
    this.length += nullBytes;
    this.#byte(1);
    const typesAt = this.length;
    this.length += parameters.length * 2;
    for (const [index, text] of parameters.entries()) {
      let type = VAR_STRING;
      if (text === null) {
        const at = nulls + (index >> 3);
        this.buffer[at] = (this.buffer[at] ?? 0) | (1 << (index & 7));
      } else {
        type = this.#value(text, types?.[index]);
      }
      this.buffer.writeUInt16LE(type, typesAt + index * 2);
    }
  }

  /** Numbers are sent as numbers, so that columns are compared with their value. */
  #value(text: string, type: PropertyType | undefined): number {
    switch (type) {
      case 'integer':
      case 'boolean':
        return this.#integer(text);
      case 'decimal':
        // The database treats a number with an exponent as a double, whatever its type.
        return this.#text(text, /e/i.test(text) ? VAR_STRING : NEWDECIMAL);
      case 'number':
        this.reserve(8);
        this.length = this.buffer.writeDoubleLE(Number(text), this.length);
        return DOUBLE;
      case 'binary':
        return this.#bytes(Buffer.from(text, 'base64'));
      default:
        return this.#text(text, VAR_STRING);
    }
  }

  #bytes(bytes: Buffer): number {
    this.reserve(9 + bytes.length);
    this.#longLength(bytes.copy(this.buffer, this.length + 9));
    return BLOB;
  }

  /** Writes the length of a value of any size, which is already behind it. */
  #longLength(length: number): void {
    this.buffer[this.length] = 0xfe;
    this.buffer.writeUIntLE(length, this.length + 1, 6);
    this.buffer.writeUInt16LE(0, this.length + 7);
    this.length += 9 + length;
  }

  #integer(text: string): number {
    const value = Number(text);
    this.reserve(8);
    if (Number.isSafeInteger(value)) {
      this.buffer.writeInt32LE(value | 0, this.length);
      this.buffer.writeInt32LE(Math.floor(value / 0x100000000), this.length + 4);
      this.length += 8;
      return LONGLONG;
    }
    const exact = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    if (exact === undefined || BigInt.asIntN(64, exact) !== exact)
      return this.#text(text, NEWDECIMAL);
    this.length = this.buffer.writeBigInt64LE(exact, this.length);
    return LONGLONG;
  }

  #text(text: string, type: number): number {
    const room = text.length * 3;
    this.reserve(9 + room);
    if (room < 0xfb) {
      const written = this.buffer.write(text, this.length + 1, 'utf8');
      this.buffer[this.length] = written;
      this.length += 1 + written;
      return type;
    }
    this.#longLength(this.buffer.write(text, this.length + 9, 'utf8'));
    return type;
  }

  #begin(command: number): number {
    this.reserve(HEADER_BYTES + 1);
    const start = this.length;
    this.length += HEADER_BYTES;
    this.#byte(command);
    return start;
  }

  #end(start: number): void {
    const length = this.length - start - HEADER_BYTES;
    this.#pieces = 1 + Math.floor(length / PACKET_BYTES_MAX);
    if (this.#pieces > 1) return this.#split(start, length);
    this.buffer.writeUIntLE(length, start, 3);
    this.buffer[start + 3] = 0;
  }

  /** The last packet is shorter than the others, possibly empty. */
  #split(start: number, length: number): void {
    const body = Buffer.from(this.buffer.subarray(start + HEADER_BYTES, this.length));
    this.length = start;
    this.reserve(length + HEADER_BYTES * (this.#pieces + 1));
    for (let at = 0, sequence = 0; at <= length; at += PACKET_BYTES_MAX, sequence += 1) {
      const piece = body.subarray(at, at + PACKET_BYTES_MAX);
      this.buffer.writeUIntLE(piece.length, this.length, 3);
      this.buffer[this.length + 3] = sequence & 255;
      piece.copy(this.buffer, this.length + HEADER_BYTES);
      this.length += HEADER_BYTES + piece.length;
    }
  }

  #byte(value: number): void {
    this.reserve(1);
    this.buffer[this.length++] = value;
  }

  #int32(value: number): void {
    this.reserve(4);
    this.buffer.writeInt32LE(value | 0, this.length);
    this.length += 4;
  }
}
