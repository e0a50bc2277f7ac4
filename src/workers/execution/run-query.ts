/** Runs a plan: sessions on its sources, the rows by the way that fits, one retry when it is stale. */
import {
  type CompiledQuery,
  invariant,
  type ParameterValues,
  type Sentence,
  type ByteWriter,
} from '../../engine/index.js';
import { SourceError } from '../sources/source-error.js';
import type { SourceRegistry } from '../sources/registry.js';
import type { ByteSession } from '../sources/source.js';
import type { Answer } from './answer.js';
import type { Cancellation } from './cancellation.js';
import type { QueryRun, RowsAnswer } from './query-run.js';
import { RowBudget } from './row-budget.js';
import { stitchRows } from './stitch-rows.js';
import { streamRows } from './stream-rows.js';

/** A plan with its values, and where its rows are written to. */
export interface SessionOrder {
  readonly plan: CompiledQuery;
  readonly writer: ByteWriter;
  readonly values: ParameterValues;
  readonly answer: RowsAnswer;
  /** 0: no limit. */
  readonly rowsMax: number;
  /** Rows of the root that are stitched at a time. */
  readonly windowRows: number;
}

export interface QueryOrder extends SessionOrder {
  readonly answer: Answer;
  readonly cancellation: Cancellation;
  readonly sources: SourceRegistry;
  /** Told when the sessions are there and the first statement begins. */
  readonly onStart?: () => void;
}

/** Writes the rows of the plan to the answer, without ending it. */
export async function runQuery(order: QueryOrder): Promise<void> {
  const sessions = new Map<string, ByteSession>();
  const forget = order.cancellation.onCancel(() => {
    order.answer.letGo();
    for (const session of sessions.values()) session.cancel();
  });
  try {
    await openSessions(order, sessions);
    order.onStart?.();
    await runOnSessions(order, sessions).catch((error) => retry(order, sessions, error));
  } finally {
    forget();
    for (const session of sessions.values()) session.release();
  }
}

/** Sources are taken in the order of their names, so that no two requests wait for each other. */
async function openSessions(order: QueryOrder, sessions: Map<string, ByteSession>): Promise<void> {
  const { plan, sources, cancellation } = order;
  for (const name of sourceNames(plan.root)) {
    sessions.set(name, await sources.get(name).openSession(cancellation, plan.root));
    if (cancellation.isCancelled) throw new SourceError('cancelled');
  }
}

/** The sources of a sentence and of all that it includes, in the order of their names. */
export function sourceNames(root: Sentence): string[] {
  if (root.inclusions.length === 0) return [root.source];
  const names = new Set<string>();
  const visit = (sentence: Sentence): void => {
    names.add(sentence.source);
    for (const inclusion of sentence.inclusions) visit(inclusion.sentence);
  };
  visit(root);
  return [...names].sort();
}

/** Tables changed under a prepared statement: it is parsed anew, unless rows have left already. */
function retry(
  order: QueryOrder,
  sessions: ReadonlyMap<string, ByteSession>,
  error: unknown,
): Promise<void> {
  const isStale = error instanceof SourceError && error.code === 'statement-stale';
  if (!isStale || order.answer.hasLeft) throw error;
  order.answer.restart();
  return runOnSessions(order, sessions);
}

/** Writes the rows of the plan, read on these sessions by the names of their sources. */
export function runOnSessions(
  order: SessionOrder,
  sessions: ReadonlyMap<string, ByteSession>,
): Promise<void> {
  const { plan, writer, values, answer, rowsMax, windowRows } = order;
  const run: QueryRun = {
    root: plan.root,
    writer,
    values,
    answer,
    budget: new RowBudget(rowsMax),
    windowRows,
    sessionOf: (sentence) => sessionOf(sessions, sentence),
  };
  return plan.root.inclusions.length === 0 ? streamRows(run) : stitchRows(run);
}

function sessionOf(sessions: ReadonlyMap<string, ByteSession>, sentence: Sentence): ByteSession {
  const session = sessions.get(sentence.source);
  invariant(session, `a session on the source ${sentence.source}`);
  return session;
}
