/**
 * Rows with inclusions: the root is read in windows, and the children of a whole window are fetched
 * together, on the same session, before the next. Memory holds one window with its children.
 */
import { type RowBytes, sentenceStatement } from '../../engine/index.js';
import { byteStore, fetchedBytes } from './byte-store.js';
import { fetchInclusions } from './fetch-inclusions.js';
import type { QueryRun } from './query-run.js';

/** Writes all rows of the root sentence, with all that they include, to the answer. */
export async function stitchRows(run: QueryRun): Promise<void> {
  const { root, writer, answer, budget, values, windowRows } = run;
  const session = run.sessionOf(root);
  const { open, close, empty } = writer.frame;
  const statement = sentenceStatement(root, values, []);
  let window = await session.openBytes(statement, windowRows);
  let hasRows = false;
  for (;;) {
    budget.take(window.rows.length);
    await writeWindow(run, window.rows, window.ended, hasRows ? writer.frame.separator : open);
    hasRows ||= window.rows.length > 0;
    if (window.ended) break;
    await answer.drained();
    window = await session.nextBytes(windowRows);
  }
  answer.out.constant(hasRows ? close : empty);
  answer.written();
}

async function writeWindow(
  run: QueryRun,
  rows: RowBytes,
  ended: boolean,
  first: Uint8Array,
): Promise<void> {
  const fetched = fetchedBytes(await fetchInclusions(run, byteStore, rows, ended));
  const { answer, writer } = run;
  for (let row = 0; row < rows.length; row += 1) {
    answer.out.constant(row === 0 ? first : writer.frame.separator);
    writer.row(answer.out, fetched, row);
    answer.written();
  }
}
