/** Runs a batch: one statement for the roots of all, one a level for their children, dealt out. */
import {
  type ByteWriter,
  type FetchedBytes,
  invariant,
  OutputBytes,
  type RowBytes,
  type RowsForm,
  writeList,
} from '../../engine/index.js';
import { byteStore, fetchedBytes } from '../execute/byte-store.js';
import { fetchInclusions } from '../execute/fetch-inclusions.js';
import type { InclusionRun } from '../execute/query-run.js';
import { RowBudget } from '../execute/row-budget.js';
import type { ReadyPlan } from '../plans.js';
import { SourceError } from '../database/source-error.js';
import type { ByteSession, Statement } from '../database/source.js';
import { BatchBytes } from './batch-bytes.js';
import type { Batch } from './batch.js';
import { createBatch } from './lane-batch.js';
import type { LaneShape } from './lane-shape.js';
import type { LaneHost, Member } from './member.js';

/** The answers of so many are enough for the gateway to begin with. */
const GROUPS_TOGETHER = 64;
/** Rows of a batch, children included; with more, each member streams its own. */
const BATCH_ROWS_MAX = 20_000;

export interface BatchOrder {
  readonly ready: ReadyPlan;
  /** Undefined: one member, by the plan's own sentence. */
  readonly shape: LaneShape | undefined;
  readonly members: readonly Member[];
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  readonly host: LaneHost;
  /** Whether the plan's requests take little time. */
  readonly isBrief: boolean;
}

/**
 * Answers each member; those without an answer when it rejects are to be run alone. Resolves to the
 * part that it has brought of the rows, or of their bytes, that it may.
 */
export async function runBatch(session: ByteSession, order: BatchOrder): Promise<number> {
  const { ready, shape, members, rowsMax } = order;
  const { root } = ready.plan;
  const batch = createBatch(root, shape, members);
  const most = rowsMost(rowsMax);
  const budget = new RowBudget(most);
  const bytes = new BatchBytes();
  const isLast = root.inclusions.length === 0;
  const [rows] = await session.fetchBytes([batch.statement], budget.rowsToAsk, isLast, bytes);
  invariant(rows, 'a statement has its rows');
  budget.take(rows.length);
  const fetched = isLast
    ? { rows, inclusions: [] }
    : await fetchChildren(order, { session, budget, bytes, rows });
  answerRows(order, batch, fetched);
  return Math.max(bytes.fill, 1 - (budget.rowsToAsk - 1) / most);
}

/** Rows of a batch for answers of at most so many (0: no limit). */
export function rowsMost(rowsMax: number): number {
  return rowsMax === 0 ? BATCH_ROWS_MAX : Math.min(rowsMax, BATCH_ROWS_MAX);
}

/** Deals out rows, and answers all; tells whether some request has had more rows than one. */
export function answerRows(
  order: BatchOrder,
  { groups, dealer }: Batch,
  fetched: FetchedBytes,
): boolean {
  const dealt = dealOut(fetched.rows, dealer(fetched.rows));
  const { host, isBrief } = order;
  let hasLists = false;
  try {
    for (let index = 0; index < groups.length; index += 1) {
      const rows = dealt[index] ?? noRows;
      if (rows.length > 1) hasLists = true;
      answerGroup(order, groups[index] ?? [], fetched, rows);
      if (index % GROUPS_TOGETHER === GROUPS_TOGETHER - 1) host.send(isBrief);
    }
  } finally {
    host.send(isBrief);
  }
  return hasLists;
}

const noRows: readonly number[] = [];

/** The rows of the roots, and what is left of the batch's limits. */
interface Roots {
  readonly session: ByteSession;
  readonly budget: RowBudget;
  readonly bytes: BatchBytes;
  readonly rows: RowBytes;
}

async function fetchChildren(
  { ready, members }: BatchOrder,
  { session, budget, bytes, rows }: Roots,
): Promise<FetchedBytes> {
  const [first] = members;
  invariant(first, 'a batch has members');
  const { root } = ready.plan;
  const run: InclusionRun = { root, values: first.values, budget, sessionOf: () => session };
  const store = {
    ...byteStore,
    fetch: (on: ByteSession, statements: readonly Statement[], rowsMax: number, last: boolean) =>
      on.fetchBytes(statements, rowsMax, last, bytes),
  };
  return fetchedBytes(await fetchInclusions(run, store, rows, true));
}

/** The indexes of each group's rows, in the order in which they came. */
function dealOut(
  rows: RowBytes,
  groupOf: (row: number) => number | undefined,
): readonly (readonly number[] | undefined)[] {
  const dealt: (number[] | undefined)[] = [];
  for (let row = 0; row < rows.length; row += 1) {
    const group = groupOf(row);
    // A row that nobody has asked for: the column is no longer of the type that it was.
    if (group === undefined) throw new SourceError('statement-stale');
    const others = dealt[group];
    if (others) others.push(row);
    else dealt[group] = [row];
  }
  return dealt;
}

/** Equal requests get the same bytes; they are made once for each form that is asked for. */
function answerGroup(
  { ready, host }: BatchOrder,
  group: readonly Member[],
  fetched: FetchedBytes,
  rows: readonly number[],
): void {
  const only = group.length === 1 ? group[0] : undefined;
  if (only) {
    const writer = ready.writer(only.form);
    host.answer(only, (out) => writeList(out, writer, fetched, rows));
    return;
  }
  const known = new Map<RowsForm, Uint8Array>();
  for (const member of group) {
    const { form } = member;
    const bytes = known.get(form) ?? listBytes(ready.writer(form), fetched, rows);
    known.set(form, bytes);
    host.answer(member, (out) => out.copy(bytes, 0, bytes.length));
  }
}

function listBytes(writer: ByteWriter, fetched: FetchedBytes, rows: readonly number[]): Uint8Array {
  const out = new OutputBytes(LIST_BYTES);
  writeList(out, writer, fetched, rows);
  return out.take();
}

const LIST_BYTES = 1024;
