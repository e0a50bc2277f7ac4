/**
 * Keys by which rows are demultiplexed: two keys are equal exactly if their texts are. Short integers
 * become numbers, which are read from bytes without creating a string. A hot path (bench, "point" and
 * "include").
 */
import { fieldAt, fieldLength, type RowBytes } from './row-bytes.js';
import type { DecodeText } from './scalar-bytes.js';

/** The text of a key, or a number if its digits are exactly that text. */
export type RowKey = number | string;

/** A double may not represent more digits exactly. */
const DIGITS_MAX = 15;
const ZERO = 0x30;
const MINUS = 0x2d;

export function keyOfText(text: string): RowKey {
  return PLAIN_INTEGER.test(text) ? Number(text) : text;
}

/** Converting such a text to a number and back gives the same text. */
const PLAIN_INTEGER = /^(?:-?[1-9]\d{0,14}|0)$/;

/** Reads the keys of one column, row by row. */
export class KeyReader {
  readonly #rows: RowBytes;
  readonly #column: number;
  readonly #decode: DecodeText;

  constructor(rows: RowBytes, column: number, decode: DecodeText) {
    this.#rows = rows;
    this.#column = column;
    this.#decode = decode;
  }

  /** The key of a row; null if the value is null. */
  at(row: number): RowKey | null {
    const bytes = this.#rows.buffers[row];
    const start = this.#rows.starts[row];
    if (bytes === undefined || start === undefined) return null;
    const at = fieldAt(bytes, start, this.#column);
    const length = fieldLength(bytes, at);
    if (length < 0) return null;
    return readInteger(bytes, at + 4, length) ?? this.#decode(bytes, at + 4, at + 4 + length);
  }
}

/** The number of a plain integer; undefined for any other text. */
function readInteger(bytes: Uint8Array, start: number, length: number): number | undefined {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  const end = start + length;
  const digits = end - first;
  if (digits < 1 || digits > DIGITS_MAX || (bytes[first] === ZERO && length > 1)) return undefined;
  let value = 0;
  for (let i = first; i < end; i += 1) {
    const digit = (bytes[i] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return isNegative ? -value : value;
}
