/**
 * Rows with inclusions: the root is read in windows, and the children of a whole window are fetched
 * together, on the same session. While one window is written, the database works on the next; memory
 * holds these two with their children. Windows are as large as the rows of the one before allow.
 */
import { type FetchedBytes, type RowBytes, sentenceStatement } from '../../engine/index.js';
import type { ByteWindow } from '../sources/source.js';
import { byteStore, fetchedBytes } from './byte-store.js';
import { fetchInclusions, type Parent } from './fetch-inclusions.js';
import type { QueryRun } from './query-run.js';
import { WindowSize } from './window-size.js';

/** A window with its children, and the next one where it came along. */
interface Fetched {
  readonly tree: FetchedBytes;
  readonly next: ByteWindow | undefined;
}

/** Writes all rows of the root sentence, with all that they include, to the answer. */
export async function stitchRows(run: QueryRun): Promise<void> {
  const { root, writer, answer, values } = run;
  const session = run.sessionOf(root);
  const { open, separator, close, empty } = writer.frame;
  const size = new WindowSize(run.windowRows);
  const statement = sentenceStatement(root, values, []);
  let window = await session.openBytes(statement, size.rows);
  let fetching = fetchWindow(run, window, size);
  let before = open;
  for (;;) {
    const { tree, next } = await fetching;
    const { ended } = window;
    const goesOn = next !== undefined && !answer.isFull;
    if (goesOn) {
      window = next;
      fetching = fetchWindow(run, window, size);
      // It is awaited once the window before is written.
      fetching.catch(() => undefined);
    }
    try {
      writeWindow(run, tree, before);
    } catch (error) {
      await fetching.catch(() => undefined);
      throw error;
    }
    if (tree.rows.length > 0) before = separator;
    if (ended) break;
    await answer.drained();
    if (goesOn) continue;
    window = next ?? (await session.nextBytes(size.rows));
    fetching = fetchWindow(run, window, size);
  }
  answer.out.constant(before === open ? empty : close);
  answer.written();
}

async function fetchWindow(run: QueryRun, window: ByteWindow, size: WindowSize): Promise<Fetched> {
  const { rows, ended } = window;
  run.budget.take(rows.length);
  let next: ByteWindow | undefined;
  const rootSession = run.sessionOf(run.root);
  const store: typeof byteStore = {
    ...byteStore,
    fetch: async (session, statements, rowsMax, last) => {
      const isAhead = session === rootSession && !ended && next === undefined;
      if (!isAhead || !session.fetchAheadBytes) {
        return byteStore.fetch(session, statements, rowsMax, last);
      }
      const ahead = await session.fetchAheadBytes(statements, rowsMax, size.rows);
      next = ahead.next;
      return ahead.results;
    },
  };
  const parent = await fetchInclusions(run, store, rows, ended);
  size.measure(rows.length, bytesOf(parent));
  return { tree: fetchedBytes(parent), next };
}

function bytesOf({ rows, children }: Parent<RowBytes>): number {
  return children.reduce((bytes, child) => bytes + bytesOf(child), rows.byteLength);
}

function writeWindow({ answer, writer }: QueryRun, tree: FetchedBytes, first: Uint8Array): void {
  for (let row = 0; row < tree.rows.length; row += 1) {
    answer.out.constant(row === 0 ? first : writer.frame.separator);
    writer.row(answer.out, tree, row);
    answer.written();
  }
}
