/**
 * Converts rows of the binary protocol of MySQL and MariaDB to the form that the engine reads (its
 * `row-bytes`): the number of fields, then each field's length and text. A hot path.
 */
import { isUtf8 } from 'node:buffer';
import { readNumber, skipNumber } from './numbers.js';
import { Wire, type WireType } from './columns.js';
import { ProtocolError } from '../protocol-error.js';

const FIRST_BYTES = 16 * 1024;
/** A buffer of more bytes is kept only for rows that need a good part of it. */
const KEPT_BYTES_MAX = 1 << 20;
const LEAST_USE = 1 / 8;
/** The longest number or date as text. */
const FIXED_BYTES_MAX = 40;
/** The most columns of a result (manual, "Limits on Table Column Count"). */
const COLUMNS_MAX = 4096;
/** Longer pieces are copied by the runtime. */
const LOOP_BYTES_MAX = 48;
const ZERO = 0x30;

/** Writes the rows of a connection, each in the place of the one before. */
export class RowWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = 0;

  /** The buffer of the latest row. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /**
   * Writes the row whose packet begins at `from` with a zero byte. Returns the position of its
   * field count in `bytes`; the four bytes before contain its length. Throws {@link ProtocolError} if its
   * fields do not fill the packet exactly.
   */
  write(packet: Buffer, from: number, end: number, columns: readonly WireType[]): number {
    const count = columns.length;
    const bytes = end - from + count * (4 + FIXED_BYTES_MAX) + 6;
    this.#makeRoom(bytes);
    const start = 4;
    this.#at = start + 2;
    this.#bytes[start] = count >> 8;
    this.#bytes[start + 1] = count & 255;
    const nulls = from + 1;
    let at = nulls + ((count + 9) >> 3);
    for (let i = 0; i < count; i += 1) {
      const bit = i + 2;
      if (((packet[nulls + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0) this.#length(this.#at, -1);
      else at = this.#field(packet, at, columns[i] ?? Wire.text);
      if (at > end) break;
    }
    if (at !== end) throw new ProtocolError('A row is broken.');
    this.#length(start - 4, this.#at - start + 4);
    return start;
  }

  /** Writes a row of a command: the texts of its fields, one after the other. */
  writeTexts(packet: Buffer, from: number, end: number): number {
    const start = 4;
    this.#makeRoom(start + 2 + (end - from) * 5);
    this.#at = start + 2;
    let count = 0;
    let at = from;
    for (; at < end; count += 1) at = this.#text(packet, at);
    if (at !== end) throw new ProtocolError('A row is broken.');
    this.#bytes.writeUInt16BE(count, start);
    this.#length(start - 4, this.#at - start + 4);
    return start;
  }

  #makeRoom(bytes: number): void {
    const { length } = this.#bytes;
    if (bytes <= length && (length <= KEPT_BYTES_MAX || bytes >= length * LEAST_USE)) return;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytes, FIRST_BYTES));
  }

  #length(at: number, length: number): void {
    this.#bytes[at] = length >> 24;
    this.#bytes[at + 1] = length >> 16;
    this.#bytes[at + 2] = length >> 8;
    this.#bytes[at + 3] = length;
    if (at === this.#at) this.#at += 4;
  }

  #field(packet: Buffer, at: number, type: WireType): number {
    switch (type) {
      case Wire.text:
        return this.#text(packet, at);
      case Wire.int32:
        return this.#integer(packet.readInt32LE(at), at + 4);
      case Wire.int64:
        return this.#int64(packet, at, packet.readInt32LE(at + 4));
      case Wire.int8:
        return this.#integer(packet.readInt8(at), at + 1);
      case Wire.uint8:
        return this.#integer(packet[at] ?? 0, at + 1);
      case Wire.int16:
        return this.#integer(packet.readInt16LE(at), at + 2);
      case Wire.uint16:
        return this.#integer(packet.readUInt16LE(at), at + 2);
      case Wire.uint32:
        return this.#integer(packet.readUInt32LE(at), at + 4);
      case Wire.uint64:
        return this.#uint64(packet, at);
      case Wire.double:
        return this.#latin1(doubleText(packet.readDoubleLE(at)), at + 8);
      case Wire.float:
        return this.#latin1(floatText(packet.readFloatLE(at)), at + 4);
      case Wire.date:
        return this.#date(packet, at);
      case Wire.time:
        return this.#time(packet, at);
      case Wire.bits:
        return this.#bits(packet, at);
      case Wire.binary:
        return this.#binary(packet, at);
      case Wire.padded:
        return this.#padded(packet, at);
    }
  }

  #text(packet: Buffer, at: number): number {
    const start = skipNumber(packet, at);
    const length = readNumber(packet, at);
    this.#length(this.#at, length);
    if (length > LOOP_BYTES_MAX) {
      packet.copy(this.#bytes, this.#at, start, start + length);
      this.#at += length;
      return start + length;
    }
    const end = start + length;
    let to = this.#at;
    const buffer = this.#bytes;
    for (let i = start; i < end; i += 1) buffer[to++] = packet[i] ?? 0;
    this.#at = to;
    return end;
  }

  #integer(value: number, next: number): number {
    const lengthAt = this.#at;
    this.#at += 4;
    let rest = value;
    if (rest < 0) {
      this.#bytes[this.#at++] = 0x2d;
      rest = -rest;
    }
    let digits = 1;
    for (let power = 10; power <= rest; power *= 10) digits += 1;
    this.#at += digits;
    for (let i = this.#at - 1; digits > 0; i -= 1, digits -= 1) {
      const tenth = Math.floor(rest / 10);
      this.#bytes[i] = ZERO + (rest - tenth * 10);
      rest = tenth;
    }
    this.#length(lengthAt, this.#at - lengthAt - 4);
    return next;
  }

  #int64(packet: Buffer, at: number, high: number): number {
    const low = packet.readUInt32LE(at);
    // A double represents such a number exactly.
    if (high >= -0x200000 && high < 0x200000) {
      return this.#integer(high * 0x100000000 + low, at + 8);
    }
    return this.#latin1(packet.readBigInt64LE(at).toString(), at + 8);
  }

  #uint64(packet: Buffer, at: number): number {
    const high = packet.readUInt32LE(at + 4);
    if (high < 0x200000) return this.#int64(packet, at, high);
    return this.#latin1(packet.readBigUInt64LE(at).toString(), at + 8);
  }

  #latin1(text: string, next: number): number {
    this.#length(this.#at, text.length);
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
    return next;
  }

  /** `YYYY-MM-DD[ HH:MM:SS[.ffffff]]`; a date without a year, a month or a day is null. */
  #date(packet: Buffer, at: number): number {
    const length = packet[at] ?? 0;
    const next = at + 1 + length;
    if (length === 0 || !isWholeDate(packet, at + 1)) {
      this.#length(this.#at, -1);
      return next;
    }
    const lengthAt = this.#at;
    this.#at += 4;
    this.#digits(packet.readUInt16LE(at + 1), 4);
    this.#punctuated(0x2d, packet[at + 3]);
    this.#punctuated(0x2d, packet[at + 4]);
    if (length > 4) {
      this.#punctuated(0x20, packet[at + 5]);
      this.#punctuated(0x3a, packet[at + 6]);
      this.#punctuated(0x3a, packet[at + 7]);
    }
    if (length > 7) this.#fraction(packet.readUInt32LE(at + 8));
    this.#length(lengthAt, this.#at - lengthAt - 4);
    return next;
  }

  /** `[-]HH:MM:SS[.ffffff]`, with any number of hours. */
  #time(packet: Buffer, at: number): number {
    const length = packet[at] ?? 0;
    if (length === 0) return this.#latin1('00:00:00', at + 1);
    const lengthAt = this.#at;
    this.#at += 4;
    if (packet[at + 1] === 1) this.#bytes[this.#at++] = 0x2d;
    const hours = packet.readUInt32LE(at + 2) * 24 + (packet[at + 6] ?? 0);
    this.#digits(hours, hours < 100 ? 2 : 3);
    this.#punctuated(0x3a, packet[at + 7]);
    this.#punctuated(0x3a, packet[at + 8]);
    if (length > 8) this.#fraction(packet.readUInt32LE(at + 9));
    this.#length(lengthAt, this.#at - lengthAt - 4);
    return at + 1 + length;
  }

  #fraction(microseconds: number): void {
    this.#bytes[this.#at++] = 0x2e;
    this.#digits(microseconds, 6);
  }

  #punctuated(mark: number, value: number | undefined): void {
    this.#bytes[this.#at++] = mark;
    this.#digits(value ?? 0, 2);
  }

  #digits(value: number, digits: number): void {
    let rest = value;
    for (let i = this.#at + digits - 1; i >= this.#at; i -= 1) {
      this.#bytes[i] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#at += digits;
  }

  #bits(packet: Buffer, at: number): number {
    const start = skipNumber(packet, at);
    const end = start + readNumber(packet, at);
    if (end > packet.length) throw new ProtocolError('A row is broken.');
    let value = 0n;
    for (let i = start; i < end; i += 1) value = (value << 8n) | BigInt(packet[i] ?? 0);
    return this.#latin1(value.toString(), end);
  }

  /** The digits without leading zeros. */
  #padded(packet: Buffer, at: number): number {
    const start = skipNumber(packet, at);
    const end = start + readNumber(packet, at);
    return this.#latin1(packet.toString('latin1', start, end).replace(/^0+(?=\d)/, ''), end);
  }

  /** Valid UTF-8 as text; other bytes in PostgreSQL's notation. */
  #binary(packet: Buffer, at: number): number {
    const start = skipNumber(packet, at);
    const end = start + readNumber(packet, at);
    const bytes = packet.subarray(start, end);
    if (isUtf8(bytes)) return this.#text(packet, at);
    const text = `\\x${bytes.toString('hex')}`;
    // It is longer than the room that was reserved: the buffer grows, and the row stays in its place.
    const rest = packet.length + COLUMNS_MAX * (4 + FIXED_BYTES_MAX);
    const wanted = this.#at + text.length + rest;
    if (wanted > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(wanted);
      this.#bytes.copy(grown, 0, 0, this.#at);
      this.#bytes = grown;
    }
    return this.#latin1(text, end);
  }
}

/** Whether neither the year, nor the month, nor the day is 0. */
function isWholeDate(packet: Buffer, at: number): boolean {
  return packet.readUInt16LE(at) > 0 && (packet[at + 2] ?? 0) > 0 && (packet[at + 3] ?? 0) > 0;
}

/** The shortest digits of a double, with an exponent where PostgreSQL writes one. */
function doubleText(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 1e-4 && size < 1e15) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The shortest digits of a single-precision number. */
function floatText(value: number): string {
  for (let precision = 6; precision < 9; precision += 1) {
    const short = Number(value.toPrecision(precision));
    if (Math.fround(short) === value) return doubleText(short);
  }
  return doubleText(Number(value.toPrecision(9)));
}
