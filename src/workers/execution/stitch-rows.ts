/**
 * Rows with inclusions: the root is read in windows, and the children of a whole window are fetched
 * together, on the same session, before the next. Memory holds one window with its children.
 */
import { type Fields, sentenceArguments, writeRow } from '../../engine/index.js';
import { fetchInclusions } from './fetch-inclusions.js';
import type { QueryRun } from './query-run.js';

/** Writes all rows of the root sentence, with all that they include, to the answer. */
export async function stitchRows(run: QueryRun): Promise<void> {
  const { root, writer, answer, budget, values, windowRows } = run;
  const session = run.sessionOf(root);
  const { open, close, empty } = writer.frame;
  const statement = { text: root.text, parameters: sentenceArguments(root, values, []) };
  let window = await session.open(statement, windowRows);
  let before = open;
  for (;;) {
    budget.take(window.rows.length);
    await writeWindow(run, window.rows, window.ended, before);
    if (window.rows.length > 0) before = writer.frame.separator;
    if (window.ended) break;
    await answer.drained();
    window = await session.next(windowRows);
  }
  answer.write(before === open ? empty : close);
}

async function writeWindow(
  run: QueryRun,
  rows: readonly Fields[],
  ended: boolean,
  first: string,
): Promise<void> {
  const fetched = await fetchInclusions(run, rows, ended);
  let before = first;
  for (let index = 0; index < rows.length; index += 1) {
    run.answer.write(before + writeRow(run.writer, fetched, index));
    before = run.writer.frame.separator;
  }
}
