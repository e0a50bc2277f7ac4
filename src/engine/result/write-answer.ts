/** Writes the answer of a write of rows: the stored rows with all their included rows. */
import { invariant } from '../errors.js';
import type { ByteWriter, ChildBytes, FetchedBytes } from './byte-writer.js';
import type { OutputBytes } from './output-bytes.js';
import { type ByteRow, RowBytes } from './row-bytes.js';

/** A row that was written. */
export interface StoredRow {
  /** As the database returned it. */
  readonly stored: ByteRow | undefined;
  /** The rows of each include, in the order of the statement's. */
  readonly related: readonly (readonly StoredRow[])[];
}

/** Receives an answer. */
export interface AnswerBytes {
  readonly out: OutputBytes;
  /** Must be called after writing to {@link out}. */
  written(): void;
}

/** Writes stored rows: one object, or a list of objects. */
export function writeRowsAnswer(
  writer: ByteWriter,
  rows: readonly StoredRow[],
  answer: AnswerBytes,
): void {
  const { statement, frame } = writer;
  const { out } = answer;
  invariant(statement.write?.kind === 'rows', 'a statement that writes rows of the data');
  const isOne = statement.write.shape === 'one';
  let before = frame.open;
  for (const row of rows) {
    if (!isOne) out.constant(before);
    writer.row(out, fetchedOf(writer, [row]), 0);
    answer.written();
    before = frame.separator;
  }
  if (!isOne) out.constant(rows.length === 0 ? frame.empty : frame.close);
  answer.written();
}

/** The rows with all their included rows, in the form of fetched rows. */
function fetchedOf({ includes }: ByteWriter, rows: readonly StoredRow[]): FetchedBytes {
  const own = new RowBytes();
  for (const { stored } of rows) {
    invariant(stored, 'a row that is stored');
    own.push(stored.bytes, stored.start);
  }
  return {
    rows: own,
    includes:
      includes.length === 0
        ? noChildren
        : includes.map((inner, index) => childrenOf(inner, rows, index)),
  };
}

const noChildren: readonly ChildBytes[] = [];

function childrenOf(writer: ByteWriter, parents: readonly StoredRow[], index: number): ChildBytes {
  const children: StoredRow[] = [];
  const rowsOfParent = parents.map(({ related }) =>
    (related[index] ?? []).map((child) => children.push(child) - 1),
  );
  return { fetched: fetchedOf(writer, children), rowsOfParent };
}
