/** The rows of one tree of entities, as the items of a list in the exported document. */
import {
  type Cipher,
  type CompiledQuery,
  createWriter,
  type Fields,
  invariant,
  readArguments,
  type SentenceWriter,
  sentenceStatement,
  writeRow,
} from '../../engine/index.js';
import type { Answer } from '../execute/answer.js';
import { fetchInclusions } from '../execute/fetch-inclusions.js';
import { fetchedFields, fieldStore } from '../execute/field-store.js';
import type { InclusionRun } from '../execute/query-run.js';
import { RowBudget } from '../execute/row-budget.js';
import type { Session } from '../database/source.js';

/** Rows of a root whose parts are fetched together. */
const WINDOW_ROWS = 1000;
/** How deep the rows' list lies in the document. */
const LIST_DEPTH = 3;

export interface RowsOrder {
  readonly plan: CompiledQuery;
  readonly pretty: boolean;
  readonly answer: Answer;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly cipher: Cipher;
}

/** Writes all rows, brackets included; memory holds one window of them. */
export async function exportRows(order: RowsOrder): Promise<void> {
  const { plan, answer } = order;
  const run = runOf(order);
  const { root } = plan;
  const session = run.sessionOf(root);
  const statement = sentenceStatement(root, run.values, []);
  let window = await session.open(statement, WINDOW_ROWS);
  let hasRows = false;
  for (;;) {
    if (window.rows.length > 0) await writeWindow(order, run, window.rows, hasRows);
    hasRows ||= window.rows.length > 0;
    if (window.ended) break;
    await answer.drained();
    window = await session.next(WINDOW_ROWS);
  }
  answer.write(hasRows ? `${lineBreak(order, LIST_DEPTH)}]` : '[]');
}

/** A run whose rows are texts, with their writer. */
interface ExportRun extends InclusionRun<Session> {
  readonly writer: SentenceWriter;
}

function runOf({ plan, pretty, sessions, cipher }: RowsOrder): ExportRun {
  return {
    root: plan.root,
    writer: createWriter(plan.root, { pretty, cipher }),
    values: readArguments(plan, undefined),
    budget: new RowBudget(0),
    sessionOf: ({ source }) => {
      const session = sessions.get(source);
      invariant(session, `a session on the source ${source}`);
      return session;
    },
  };
}

async function writeWindow(
  order: RowsOrder,
  run: ExportRun,
  rows: readonly Fields[],
  isContinued: boolean,
): Promise<void> {
  const fetched = fetchedFields(await fetchInclusions(run, fieldStore, rows, false));
  const between = `,${lineBreak(order, LIST_DEPTH + 1)}`;
  let before = isContinued ? between : `[${lineBreak(order, LIST_DEPTH + 1)}`;
  for (let index = 0; index < rows.length; index += 1) {
    order.answer.write(before + indented(order, writeRow(run.writer, fetched, index)));
    before = between;
  }
}

/** A line break in the text of a row is always its layout: in values it is escaped. */
function indented({ pretty }: RowsOrder, row: string): string {
  return pretty ? row.replaceAll('\n', `\n${'  '.repeat(LIST_DEPTH)}`) : row;
}

function lineBreak({ pretty }: RowsOrder, depth: number): string {
  return pretty ? `\n${'  '.repeat(depth)}` : '';
}
