/** Values of rows that statements which write have returned. */
import { type ByteRow, fieldText } from '../../engine/index.js';
import { decodeText } from '../decode-text.js';

/** The text of a column; null when it is null. */
export function storedText(row: ByteRow, column: number): string | null {
  return fieldText(row, column, decodeText);
}

/** The texts of this number of columns, from the given one on. */
export function storedTexts(row: ByteRow, from: number, count: number): (string | null)[] {
  return Array.from({ length: count }, (_, index) => storedText(row, from + index));
}
