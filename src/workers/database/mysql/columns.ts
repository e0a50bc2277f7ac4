/**
 * The columns of a result, which arrive before its rows: how each is encoded in a row of the binary
 * protocol (MariaDB manual, "Result Set Packets", "Binary Result Set Row").
 */
import { CURSOR_NAME } from '../../../engine/index.js';
import { ProtocolError } from '../protocol-error.js';
import { readNumber, skipNumber } from './numbers.js';

/** How a value is encoded in a row. */
export const Wire = {
  int8: 0,
  uint8: 1,
  int16: 2,
  uint16: 3,
  int32: 4,
  uint32: 5,
  int64: 6,
  uint64: 7,
  float: 8,
  double: 9,
  date: 10,
  time: 11,
  bits: 12,
  /** A text or digits, after its length. */
  text: 13,
  /** The same for bytes that may not be text. */
  binary: 14,
  /** Digits with leading zeros (ZEROFILL). */
  padded: 15,
} as const;

export type WireType = (typeof Wire)[keyof typeof Wire];

const UNSIGNED = 32;
const ZEROFILL = 64;
const ENUM = 256;
const SET = 2048;
const DECIMAL = 246;
/** The "character set" of binary values. */
const BINARY_CHARSET = 63;

const integers: Readonly<Record<number, readonly [signed: WireType, unsigned: WireType]>> = {
  1: [Wire.int8, Wire.uint8],
  2: [Wire.int16, Wire.uint16],
  13: [Wire.int16, Wire.uint16],
  3: [Wire.int32, Wire.uint32],
  // MEDIUMINT takes four bytes, too.
  9: [Wire.int32, Wire.uint32],
  8: [Wire.int64, Wire.uint64],
};

const others: Readonly<Record<number, WireType>> = {
  4: Wire.float,
  5: Wire.double,
  7: Wire.date,
  10: Wire.date,
  11: Wire.time,
  12: Wire.date,
  16: Wire.bits,
  // VECTOR (MySQL 9), and geometries.
  242: Wire.binary,
  255: Wire.binary,
};

/** Blobs and strings; without a character set they are binary. */
const FIRST_STRING = 249;

/** The texts before the name: of the catalog, the schema, the alias and the table. */
const TEXTS_BEFORE_NAME = 4;
/** The texts of a definition, without the one that MariaDB may add, and the size of what follows them. */
const TEXTS = 6;
const REST_BYTES = 13;

/** The type in the ColumnDefinition packet. Throws {@link ProtocolError} if its length is wrong. */
export function readColumn(bytes: Buffer, start: number, end: number): WireType {
  const restAt = end - REST_BYTES;
  let at = start;
  let texts = 0;
  for (; at < restAt; texts += 1) at = skipNumber(bytes, at) + readNumber(bytes, at);
  if (at !== restAt || texts < TEXTS || texts > TEXTS + 1)
    throw new ProtocolError('A column definition is broken.');
  // From the end: two unused bytes, decimals 1, flags 2, type 1, length 4, character set 2.
  const type = bytes[end - 6] ?? 0;
  const flags = bytes.readUInt16LE(end - 5);
  const integer = integers[type];
  if (integer) return integer[(flags & UNSIGNED) === 0 ? 0 : 1];
  const other = others[type];
  if (other !== undefined) return other;
  if (type === DECIMAL && (flags & ZEROFILL) !== 0) return Wire.padded;
  const isBinary = bytes.readUInt16LE(end - 12) === BINARY_CHARSET;
  return type >= FIRST_STRING && isBinary ? Wire.binary : Wire.text;
}

/**
 * Whether the column in the ColumnDefinition packet is the part of a cursor that the server sorts by the numbers of its
 * values, but compares as a text.
 */
export function isOrdinalPart(bytes: Buffer, start: number, end: number): boolean {
  if ((bytes.readUInt16LE(end - 5) & (ENUM | SET)) === 0) return false;
  let at = start;
  for (let texts = 0; texts < TEXTS_BEFORE_NAME; texts += 1)
    at = skipNumber(bytes, at) + readNumber(bytes, at);
  const nameAt = skipNumber(bytes, at);
  return bytes.toString('latin1', nameAt, nameAt + CURSOR_NAME.length) === CURSOR_NAME;
}
