/**
 * Rows as the bytes of PostgreSQL's DataRow messages (protocol-message-formats of its manual): the
 * number of fields in two bytes, then each field's length in four (-1: null) and its text.
 */
import type { DecodeText } from './scalar-bytes.js';

/** Rows that lie in the buffers in which they came; the n-th begins at `starts[n]` of `buffers[n]`. */
export class RowBytes {
  readonly buffers: Uint8Array[] = [];
  readonly starts: number[] = [];

  get length(): number {
    return this.starts.length;
  }

  /** The bytes of all rows: the length of each stands before it, and counts itself. */
  get byteLength(): number {
    let bytes = 0;
    for (const [row, start] of this.starts.entries()) {
      const buffer = this.buffers[row];
      if (buffer) bytes += fieldLength(buffer, start - 4);
    }
    return bytes;
  }

  /** Makes this the only row. */
  set(bytes: Uint8Array, start: number): void {
    this.buffers[0] = bytes;
    this.starts[0] = start;
  }

  /** Adds the row whose number of fields stands at `start`. The buffer is kept, not copied. */
  push(bytes: Uint8Array, start: number): void {
    this.buffers.push(bytes);
    this.starts.push(start);
  }
}

/** The offset of the length of the first field. */
export function firstField(start: number): number {
  return start + 2;
}

/** The signed length of the field whose length stands at `at`. */
export function fieldLength(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) << 24) |
    ((bytes[at + 1] ?? 0) << 16) |
    ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)
  );
}

/** Where the length of a field of a row stands. */
export function fieldAt(bytes: Uint8Array, start: number, column: number): number {
  let at = firstField(start);
  for (let i = 0; i < column; i += 1) at += 4 + Math.max(0, fieldLength(bytes, at));
  return at;
}

/** The text of a field; null when it is null. */
export function fieldText(
  rows: RowBytes,
  row: number,
  column: number,
  decode: DecodeText,
): string | null {
  const bytes = rows.buffers[row];
  const start = rows.starts[row];
  if (bytes === undefined || start === undefined) return null;
  const at = fieldAt(bytes, start, column);
  const length = fieldLength(bytes, at);
  return length < 0 ? null : decode(bytes, at + 4, at + 4 + length);
}
