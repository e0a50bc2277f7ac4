/**
 * Streams rows without includes: each row is written as it arrives, and no faster than the client
 * reads.
 */
import { parameterizeStatement } from '../../engine/index.js';
import { RowList } from './row-list.js';
import type { Reading } from './read.js';

/** Writes all rows of the root statement to the answer. */
export async function readStreamed(reading: Reading): Promise<void> {
  const { root, writer, answer, budget, values } = reading;
  const lease = reading.leaseOf(root);
  const list = new RowList(writer, answer.out);
  const row = (bytes: Buffer, start: number): void => {
    budget.take(1);
    list.add(bytes, start);
    answer.rows += 1;
    answer.written();
    if (!answer.isFull) return;
    lease.pause();
    void answer.drained().then(() => lease.resume());
  };
  const statement = parameterizeStatement(root, values, []);
  await lease.stream(statement, budget.rowsToAsk, { row });
  list.end();
  answer.written();
}
