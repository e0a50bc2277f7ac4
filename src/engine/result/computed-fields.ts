/** The fields of rows some of whose values Rowgate computes, as bytes that the encoders take. */
import type { Column } from '../compiled-query.js';
import { utf8Bytes } from './output-bytes.js';
import { fieldText, type RowBytes } from './row-bytes.js';
import type { DecodeText } from './scalar-bytes.js';
import { type Layout, readColumn } from './writer.js';

/** The UTF-8 text of a column of a row; undefined of null. */
export type FieldOf = (rows: RowBytes, row: number, column: number) => Uint8Array | undefined;

/** Undefined where every value is answered as the database sends it. */
export function computedFields(
  columns: readonly Column[],
  decode: DecodeText,
  layout: Pick<Layout, 'cipher'>,
): FieldOf | undefined {
  const reads = columns.map((column) => readColumn(column, layout));
  if (reads.every((read) => !read)) return undefined;
  return (rows, row, column) => {
    const textAt = (index: number): string | null => fieldText(rows, row, index, decode);
    const read = reads[column];
    const text = read ? read(textAt) : textAt(column);
    return text === null ? undefined : utf8Bytes(text);
  };
}
