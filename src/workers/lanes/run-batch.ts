/** Runs a batch: one statement for the roots of all, one a level for their children, dealt out. */
import { type Fields, invariant, type SentenceWriter, writeRow } from '../../engine/index.js';
import { fetchInclusions } from '../execution/fetch-inclusions.js';
import type { InclusionRun } from '../execution/query-run.js';
import { RowBudget } from '../execution/row-budget.js';
import type { ReadyPlan } from '../plans.js';
import type { Session } from '../sources/source.js';
import { createBatch } from './lane-batch.js';
import type { LaneShape } from './lane-shape.js';
import type { LaneHost, Member } from './member.js';

/** Rows of a batch, children included; with more, each member streams its own. */
const BATCH_ROWS_MAX = 20_000;

export interface BatchOrder {
  readonly ready: ReadyPlan;
  readonly shape: LaneShape;
  readonly members: readonly Member[];
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  readonly host: LaneHost;
}

/** Answers each member. What it rejects with has answered nobody. */
export async function runBatch(session: Session, order: BatchOrder): Promise<void> {
  const { ready, shape, members, rowsMax } = order;
  const { root } = ready.plan;
  const batch = createBatch(root, shape, members);
  const budget = new RowBudget(rowsMax === 0 ? BATCH_ROWS_MAX : Math.min(rowsMax, BATCH_ROWS_MAX));
  const isLast = root.inclusions.length === 0;
  const [rows = []] = await session.fetch([batch.statement], budget.rowsToAsk, isLast);
  budget.take(rows.length);
  const run = batchRun(order, session, budget);
  const fetched = isLast ? { rows, inclusions: [] } : await fetchInclusions(run, rows, true);
  const dealt = dealOut(rows, batch.groups.length, batch.groupOf);
  for (const [index, group] of batch.groups.entries()) {
    const own = dealt[index] ?? [];
    writeGroup(order, group, (writer) =>
      listText(writer, own, (row) => writeRow(writer, fetched, row)),
    );
  }
}

function batchRun(
  { ready, members }: BatchOrder,
  session: Session,
  budget: RowBudget,
): InclusionRun {
  const [first] = members;
  invariant(first, 'a batch has members');
  return { root: ready.plan.root, values: first.values, budget, sessionOf: () => session };
}

/** The indexes of each group's rows, in the order in which they came. */
function dealOut(
  rows: readonly Fields[],
  groups: number,
  groupOf: (row: Fields) => number | undefined,
): readonly (readonly number[])[] {
  const dealt = Array.from({ length: groups }, (): number[] => []);
  for (const [index, row] of rows.entries()) {
    const group = groupOf(row);
    if (group !== undefined) dealt[group]?.push(index);
  }
  return dealt;
}

/** Equal requests get the same text; it is made once for each layout that is asked for. */
function writeGroup(
  { ready, host }: BatchOrder,
  group: readonly Member[],
  text: (writer: SentenceWriter) => string,
): void {
  let compact: string | undefined;
  let indented: string | undefined;
  for (const member of group) {
    if (member.pretty) host.answer(member, (indented ??= text(ready.writer(true))));
    else host.answer(member, (compact ??= text(ready.writer(false))));
  }
}

function listText(
  { frame }: SentenceWriter,
  rows: readonly number[],
  rowText: (row: number) => string,
): string {
  if (rows.length === 0) return frame.empty;
  let text = frame.open;
  for (let index = 0; index < rows.length; index += 1) {
    text += (index === 0 ? '' : frame.separator) + rowText(rows[index] ?? 0);
  }
  return text + frame.close;
}
