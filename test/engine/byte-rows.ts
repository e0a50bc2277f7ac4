/** Converts rows of strings to the form that a worker gets them in, and writes them as JSON. */
import {
  createByteWriter,
  type FetchedBytes,
  type Fields,
  OutputBytes,
  RowBytes,
  type StatementPlan,
} from '../../src/engine/index.js';
import { encodeRow } from '../../src/engine/result/row-bytes.js';

export function rowBytes(rows: readonly Fields[]): RowBytes {
  const all = new RowBytes();
  for (const fields of rows) {
    const { bytes, start } = encodeRow(fields);
    all.push(bytes, start);
  }
  return all;
}

export function decode(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString('utf8');
}

/** The JSON of each row, with its included rows. */
export function rowTexts(
  statement: StatementPlan,
  fetched: FetchedBytes,
  pretty = false,
): string[] {
  const writer = createByteWriter(statement, { pretty }, decode);
  return fetched.rows.starts.map((_, row) => {
    const out = new OutputBytes(64);
    writer.row(out, fetched, row);
    return decode(out.bytes, 0, out.length);
  });
}

/** The JSON of a row without includes. */
export function rowText(statement: StatementPlan, fields: Fields, pretty = false): string {
  const [text = ''] = rowTexts(statement, { rows: rowBytes([fields]), includes: [] }, pretty);
  return text;
}
