/**
 * What is known of the columns of a result before its rows come: how each is written in a row of
 * the binary protocol (MariaDB manual, "Result Set Packets", "Binary Result Set Row").
 */

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
  /** A text, or digits, behind its length. */
  text: 13,
  /** The same, of bytes that need not be a text. */
  binary: 14,
  /** Digits that have zeros before them (ZEROFILL). */
  padded: 15,
} as const;

export type WireType = (typeof Wire)[keyof typeof Wire];

const UNSIGNED = 32;
const ZEROFILL = 64;
const DECIMAL = 246;
/** The "character set" of what has none. */
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
  255: Wire.binary,
};

/** Blobs and strings, which are binary when they have no character set. */
const FIRST_STRING = 249;

/** The type in the ColumnDefinition packet that ends there. */
export function readColumn(bytes: Buffer, end: number): WireType {
  // From behind: character set 2, length 4, type 1, flags 2, decimals 1, and two of nothing.
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
