/** Reads a few rows as texts. */
import type { Fields } from '../../engine/index.js';
import type { Lease } from './lease.js';
import { fieldsOf, type Statement, type Written } from './statement.js';

export async function readTexts(lease: Lease, statement: Statement): Promise<readonly Fields[]> {
  const rows: Fields[] = [];
  const row = (bytes: Buffer, start: number): void => void rows.push(fieldsOf(bytes, start));
  await lease.stream(statement, 0, { row });
  return rows;
}

/** The rows that a statement in a write has returned. */
export function writtenTexts(written: Written | undefined): readonly Fields[] {
  const { buffers = [], starts = [] } = written?.rows ?? {};
  return starts.map((start, index) => {
    const bytes = buffers[index] ?? new Uint8Array();
    return fieldsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), start);
  });
}
