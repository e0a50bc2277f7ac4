/**
 * Rows as the bytes of PostgreSQL's DataRow messages (manual, protocol-message-formats): the number
 * of fields in two bytes, then each field's length in four bytes (-1: null) and its text.
 */
import { utf8Bytes } from './output-bytes.js';
import type { DecodeText } from './scalar-bytes.js';

/** The fields of a row as the database sent them, in the order of the statement's columns. */
export type Fields = readonly (string | null)[];

/** A row; the number of its fields is at `start`. */
export interface ByteRow {
  readonly bytes: Uint8Array;
  readonly start: number;
}

/** Rows in the buffers in which they arrived. The n-th begins at `starts[n]` of `buffers[n]`. */
export class RowBytes {
  readonly buffers: Uint8Array[] = [];
  readonly starts: number[] = [];

  get length(): number {
    return this.starts.length;
  }

  /** The size of all rows. The length of each row is before it, and includes itself. */
  get byteLength(): number {
    let bytes = 0;
    for (const [row, start] of this.starts.entries()) {
      const buffer = this.buffers[row];
      if (buffer) bytes += fieldLength(buffer, start - 4);
    }
    return bytes;
  }

  /** A row; undefined if there is none. */
  at(row: number): ByteRow | undefined {
    const bytes = this.buffers[row];
    const start = this.starts[row];
    return bytes && start !== undefined ? { bytes, start } : undefined;
  }

  /** Replaces all rows by this one. */
  set(bytes: Uint8Array, start: number): void {
    this.buffers[0] = bytes;
    this.starts[0] = start;
  }

  /** Adds the row whose number of fields is at `start`. The buffer is kept, not copied. */
  push(bytes: Uint8Array, start: number): void {
    this.buffers.push(bytes);
    this.starts.push(start);
  }

  /** Adds all rows of `others`. */
  append({ buffers, starts }: RowBytes): void {
    for (const [row, start] of starts.entries()) this.push(buffers[row] ?? EMPTY, start);
  }
}

const EMPTY = new Uint8Array();

/** The offset of the length of the first field. */
export function firstField(start: number): number {
  return start + 2;
}

/** The signed length of the field whose length is at `at`. */
export function fieldLength(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

/** The offset of the length of a field. */
export function fieldAt(bytes: Uint8Array, start: number, column: number): number {
  let at = firstField(start);
  for (let i = 0; i < column; i += 1) at += 4 + Math.max(0, fieldLength(bytes, at));
  return at;
}

/** The text of a field; null if the value is null. */
export function fieldText(
  { bytes, start }: ByteRow,
  column: number,
  decode: DecodeText,
): string | null {
  const at = fieldAt(bytes, start, column);
  const length = fieldLength(bytes, at);
  return length < 0 ? null : decode(bytes, at + 4, at + 4 + length);
}

export function encodeRow(fields: Fields): ByteRow {
  const texts = fields.map((field) => (field === null ? undefined : utf8Bytes(field)));
  const size = texts.reduce((sum, text) => sum + 4 + (text?.length ?? 0), 2);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, fields.length);
  let at = 2;
  for (const text of texts) {
    view.setInt32(at, text?.length ?? -1);
    at += 4;
    if (text) bytes.set(text, at);
    at += text?.length ?? 0;
  }
  return { bytes, start: 0 };
}

/** The row without its first field. The field count before it is invalid. */
export function withoutFirst({ bytes, start }: ByteRow): ByteRow {
  // The number is in the two bytes before the first field.
  return { bytes, start: fieldAt(bytes, start, 1) - 2 };
}
