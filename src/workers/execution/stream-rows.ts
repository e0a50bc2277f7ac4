/** Rows without inclusions: each is written as it comes, and the socket waits for a slow client. */
import { type Fields, sentenceArguments } from '../../engine/index.js';
import type { QueryRun } from './query-run.js';

const noChildren: readonly string[] = [];

/** Writes all rows of the root sentence to the answer. */
export async function streamRows(run: QueryRun): Promise<void> {
  const { root, writer, answer, budget, values } = run;
  const session = run.sessionOf(root);
  const { open, separator, close, empty } = writer.frame;
  let before = open;
  const sink = (fields: Fields): void => {
    budget.take(1);
    answer.write(before + writer.row(fields, noChildren));
    before = separator;
    if (!answer.isFull) return;
    session.pause();
    void answer.drained().then(() => session.resume());
  };
  const statement = { text: root.text, parameters: sentenceArguments(root, values, []) };
  await session.stream(statement, budget.rowsToAsk, sink);
  answer.write(before === open ? empty : close);
}
