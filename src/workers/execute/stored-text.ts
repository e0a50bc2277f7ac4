/** Reads values of the rows that writing statements return. */
import { type ByteRow, fieldText } from '../../engine/index.js';
import { decodeText } from '../decode-text.js';

export function storedText(row: ByteRow, column: number): string | null {
  return fieldText(row, column, decodeText);
}

/** The texts of consecutive columns. */
export function storedTexts(row: ByteRow, from: number, count: number): (string | null)[] {
  return Array.from({ length: count }, (_, index) => storedText(row, from + index));
}
