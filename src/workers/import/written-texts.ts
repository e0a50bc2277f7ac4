/** The texts of the rows that a statement has returned. */
import type { Fields } from '../../engine/index.js';
import { fieldsOf, type Written } from '../database/statement.js';

export function writtenTexts(written: Written | undefined): readonly Fields[] {
  if (!written) return [];
  const { buffers, starts } = written.rows;
  return starts.map((start, index) => fieldsOf(asBuffer(buffers[index]), start));
}

function asBuffer(bytes: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
