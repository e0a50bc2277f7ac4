/** What a write answers with: the rows as they are stored, or how many there are. */
import { invariant } from '../../errors.js';
import type { SentenceWriter } from '../writer.js';
import type { WriteRow } from './write-row.js';

/** The JSON text of the answer of a sentence that wrote rows of the data. */
export function writtenAnswer(writer: SentenceWriter, rows: readonly WriteRow[]): string {
  const { write } = writer.sentence;
  invariant(write?.kind === 'rows', 'a sentence that writes rows of the data');
  if (write.action === 'update') return String(rows.filter(({ stored }) => stored).length);
  const [first] = rows;
  if (write.shape === 'one' && first) return rowText(writer, first);
  return listText(writer, rows);
}

/** Put together piece by piece: the parts of a row's text take ten times its room. */
const PIECE_ROWS = 1000;

function listText(writer: SentenceWriter, rows: readonly WriteRow[]): string {
  const { open, separator, close, empty } = writer.frame;
  if (rows.length === 0) return empty;
  const pieces: string[] = [];
  for (let start = 0; start < rows.length; start += PIECE_ROWS) {
    const piece = rows.slice(start, start + PIECE_ROWS);
    pieces.push(piece.map((row) => rowText(writer, row)).join(separator));
  }
  return open + pieces.join(separator) + close;
}

function rowText(writer: SentenceWriter, { stored, related }: WriteRow): string {
  invariant(stored, 'a row that is stored');
  const inclusions = writer.inclusions.map((inner, index) => {
    const rows = related[index] ?? [];
    if (writer.sentence.inclusions[index]?.cardinality === 'many') return listText(inner, rows);
    const [only] = rows;
    return only ? rowText(inner, only) : 'null';
  });
  return writer.row(stored, inclusions);
}
