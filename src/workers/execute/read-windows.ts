/**
 * Reads rows with includes in windows: a cursor reads the root rows, and the children of a window
 * are fetched together on the same connection. While one window is written, the database works on
 * the next one, so two windows are in memory. The size of a window depends on the rows of the
 * previous one.
 */
import { addToGroup } from '../add-to-group.js';
import { type FetchedBytes, RowBytes, parameterizeStatement } from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { keepRows, type Statement, type Step } from '../database/statement.js';
import { type ChildReader, fetchIncludes } from './includes.js';
import type { Reading } from './read.js';

/** The most root rows of a window. */
const WINDOW_ROWS_MAX = 4000;
/** The rows of the first window. */
const FIRST_ROWS = 250;
/** The bytes of a window with its included rows. */
const WINDOW_BYTES = 1 << 20;
/** A window can be this many times larger than the previous one, whose rows may be small by chance. */
const GROWTH_MAX = 4;

/** Root rows, and whether they are the last. */
interface Window {
  readonly rows: RowBytes;
  hasMore: boolean;
}

/** A window with its children, and the next window if it was fetched together with them. */
interface Fetched {
  readonly tree: FetchedBytes;
  readonly next: Window | undefined;
}

/** Writes all root rows with their included rows to the answer. */
export async function readWindows(reading: Reading): Promise<void> {
  const { root, writer, answer, values } = reading;
  const lease = reading.leaseOf(root);
  const { open, separator, close, empty } = writer.frame;
  const size = new WindowSize(reading.windowRows ?? WINDOW_ROWS_MAX);
  let window = await readWindow(lease, parameterizeStatement(root, values, []), size);
  let fetching = fetchWindow(reading, window, size);
  let before = open;
  for (;;) {
    const { tree, next } = await fetching;
    const { hasMore } = window;
    const goesOn = next !== undefined && !answer.isFull;
    if (goesOn) {
      window = next;
      fetching = fetchWindow(reading, window, size);
      // It is awaited after the previous window is written.
      fetching.catch(() => undefined);
    }
    try {
      writeWindow(reading, tree, before);
    } catch (error) {
      await fetching.catch(() => undefined);
      throw error;
    }
    if (tree.rows.length > 0) before = separator;
    if (!hasMore) break;
    await answer.drained();
    if (goesOn) continue;
    window = next ?? (await readWindow(lease, undefined, size));
    fetching = fetchWindow(reading, window, size);
  }
  answer.out.constant(before === open ? empty : close);
  answer.written();
}

async function readWindow(
  lease: Lease,
  statement: Statement | undefined,
  size: WindowSize,
): Promise<Window> {
  const window: Window = { rows: new RowBytes(), hasMore: false };
  await lease.run([cursorStep(window, statement, size)]);
  return window;
}

/** The step that opens the cursor, or reads on from it. */
function cursorStep(window: Window, statement: Statement | undefined, size: WindowSize): Step {
  const complete = (_count: number, hasMore: boolean): void => {
    window.hasMore = hasMore;
  };
  const sink = { ...keepRows(window.rows), complete };
  return { statement, rowsMax: size.rows, isCursor: true, sink };
}

/** The next window is fetched together with the first children that use the root's connection. */
async function fetchWindow(reading: Reading, window: Window, size: WindowSize): Promise<Fetched> {
  const { rows, hasMore } = window;
  const { root, values, budget } = reading;
  budget.take(rows.length);
  const rootLease = reading.leaseOf(root);
  let next: Window | undefined;
  let bytes = rows.byteLength;
  const reader: ChildReader = {
    values,
    budget,
    fetch: async (statements, plans, rowsMax) => {
      const results = statements.map(() => new RowBytes());
      const groups = new Map<Lease, Step[]>();
      for (const [index, statement] of statements.entries()) {
        const sink = keepRows(results[index] ?? new RowBytes());
        addToGroup(groups, reading.leaseOf(plans[index] ?? root), { statement, rowsMax, sink });
      }
      const own = groups.get(rootLease);
      if (own && hasMore && !next) {
        next = { rows: new RowBytes(), hasMore: false };
        own.push(cursorStep(next, undefined, size));
      }
      await Promise.all([...groups].map(([lease, steps]) => lease.run(steps)));
      for (const each of results) bytes += each.byteLength;
      return results;
    },
  };
  const tree = await fetchIncludes(reader, root, rows);
  size.measure(rows.length, bytes);
  return { tree, next };
}

function writeWindow({ answer, writer }: Reading, tree: FetchedBytes, first: Uint8Array): void {
  for (let row = 0; row < tree.rows.length; row += 1) {
    answer.out.constant(row === 0 ? first : writer.frame.separator);
    writer.row(answer.out, tree, row);
    answer.rows += 1;
    answer.written();
  }
}

/** How many root rows are read at a time, so that they fit in memory with their children. */
class WindowSize {
  readonly #rowsMax: number;
  #rows: number;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
    this.#rows = Math.min(rowsMax, FIRST_ROWS);
  }

  /** The rows of the next window. */
  get rows(): number {
    return this.#rows;
  }

  /** Records that a window of this many rows had this many bytes, including its children. */
  measure(rows: number, bytes: number): void {
    if (rows === 0) return;
    const fitting = Math.floor((rows * WINDOW_BYTES) / Math.max(1, bytes));
    const most = Math.min(this.#rowsMax, rows * GROWTH_MAX);
    this.#rows = Math.max(1, Math.min(most, fitting));
  }
}
