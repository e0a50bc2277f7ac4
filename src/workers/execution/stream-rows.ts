/** Rows without inclusions: each is written as it comes, and the socket waits for a slow client. */
import { RowBytes, sentenceStatement } from '../../engine/index.js';
import type { QueryRun } from './query-run.js';

/** Writes all rows of the root sentence to the answer. */
export async function streamRows(run: QueryRun): Promise<void> {
  const { root, writer, answer, budget, values } = run;
  const { out } = answer;
  const session = run.sessionOf(root);
  const { open, separator, close, empty } = writer.frame;
  const rows = new RowBytes();
  const fetched = { rows, inclusions: [] };
  let before = open;
  const sink = (bytes: Buffer, start: number): void => {
    budget.take(1);
    rows.set(bytes, start);
    out.constant(before);
    writer.row(out, fetched, 0);
    before = separator;
    answer.written();
    if (!answer.isFull) return;
    session.pause();
    void answer.drained().then(() => session.resume());
  };
  const statement = sentenceStatement(root, values, []);
  await session.streamBytes(statement, budget.rowsToAsk, sink);
  out.constant(before === open ? empty : close);
  answer.written();
}
