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
  let unwritten: { readonly error: unknown } | undefined;
  const sink = (bytes: Buffer, start: number): void => {
    budget.take(1);
    rows.set(bytes, start);
    out.constant(before);
    try {
      writer.row(out, fetched, 0);
    } catch (error) {
      // To the session any failure of its own is one of the connection: what it was is kept here.
      unwritten = { error };
      throw error;
    }
    before = separator;
    answer.written();
    if (!answer.isFull) return;
    session.pause();
    void answer.drained().then(() => session.resume());
  };
  const statement = sentenceStatement(root, values, []);
  await session.streamBytes(statement, budget.rowsToAsk, sink).catch((error: unknown) => {
    throw unwritten ? unwritten.error : error;
  });
  out.constant(before === open ? empty : close);
  answer.written();
}
