/** Reads a few rows as texts. */
import type { Fields } from '../../engine/index.js';
import type { Lease } from './lease.js';
import { fieldsOf, type Statement } from './statement.js';

export async function readTexts(lease: Lease, statement: Statement): Promise<readonly Fields[]> {
  const rows: Fields[] = [];
  const row = (bytes: Buffer, start: number): void => void rows.push(fieldsOf(bytes, start));
  await lease.stream(statement, 0, { row });
  return rows;
}
