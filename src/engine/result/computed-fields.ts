/** The fields of rows with values that Rowgate computes, as bytes for the encoders. */
import type { Column } from '../compiled-query.js';
import { invariant } from '../errors.js';
import type { Cipher } from '../values/evaluate/capabilities.js';
import { utf8Bytes } from './output-bytes.js';
import { type ReadValue, readValueOf } from './read-value.js';
import { fieldText, type RowBytes } from './row-bytes.js';
import type { DecodeText } from './scalar-bytes.js';

/** The UTF-8 text of a column of a row; undefined for null. */
export type FieldOf = (rows: RowBytes, row: number, column: number) => Uint8Array | undefined;

/** Undefined if every value is answered as the database sends it. */
export function computedFields(
  columns: readonly Column[],
  decode: DecodeText,
  cipher: Cipher | undefined,
): FieldOf | undefined {
  const reads = columns.map((column) => readColumn(column, cipher));
  if (reads.every((read) => !read)) return undefined;
  return (rows, row, column) => {
    const own = rows.at(row);
    invariant(own, 'a row of that index');
    const textAt = (index: number): string | null => fieldText(own, index, decode);
    const read = reads[column];
    const text = read ? read(textAt) : textAt(column);
    return text === null ? undefined : utf8Bytes(text);
  };
}

/** How a column is computed; undefined if it is answered as it is. */
function readColumn(column: Column, cipher: Cipher | undefined): ReadValue | undefined {
  if (!column.read) return undefined;
  invariant(cipher, 'a writer that computes values is given a cipher');
  return readValueOf(column, cipher);
}
