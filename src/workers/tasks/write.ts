/** Executes a plan that writes: everything in one transaction; of several sources, in one each. */
import type { RowsForm } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';
import { hearFailure, prepareHeardWrite, requestOf } from '../execution/heard-write.js';
import { type PreparedWrite, roundsOn } from '../execution/prepare-write.js';
import { roundsAcross } from '../execution/rounds-across.js';
import { sourceNames } from '../execution/run-query.js';
import type { RunWrites } from '../execution/write-rows.js';
import type { ReadyPlan } from '../plans.js';
import { SourceError } from '../sources/source-error.js';
import type { Session } from '../sources/source.js';
import { parseData } from './parse-data.js';

/** What is to be written, and where the answer goes. */
export interface WriteTask {
  readonly planId: number;
  readonly ready: ReadyPlan;
  /** The JSON text of the data. */
  readonly data: string | undefined;
  readonly form: RowsForm;
  /** The instant of the request, as ISO 8601. */
  readonly instant: string;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole answer, without ending it. Rejects with an `EngineError` or a `SourceError`. */
export async function write(context: Context, task: WriteTask): Promise<void> {
  const order = { ...task, data: parseData(task.data) };
  try {
    task.answer.write(await run(context, task, prepareHeardWrite(context, order)));
  } catch (error) {
    await hearFailure(context, requestOf(order), error);
    throw error;
  }
}

function run(context: Context, task: WriteTask, prepared: PreparedWrite): Promise<string> {
  if (prepared.isEmpty) return prepared.run(() => Promise.resolve([]));
  const names = sourceNames(task.ready.plan.root);
  if (names.length === 1) return runOnOne(context, task, prepared);
  return runOnSeveral(context, task, prepared, names).catch((error: unknown) => {
    if (!isStale(error)) throw error;
    return runOnSeveral(context, task, prepared, names);
  });
}

/** Once more when a statement was stale: nothing of the first attempt is left. */
async function runOnOne(
  context: Context,
  { ready, cancellation }: WriteTask,
  prepared: PreparedWrite,
): Promise<string> {
  const source = context.sources.get(ready.plan.root.source);
  const session = await source.openSession(cancellation);
  const forget = cancellation.onCancel(() => session.cancel());
  try {
    if (cancellation.isCancelled) throw new SourceError('cancelled');
    const rounds = roundsOn(session, source);
    return await prepared.run(rounds).catch((error: unknown) => {
      if (!isStale(error)) throw error;
      return prepared.run(rounds);
    });
  } finally {
    forget();
    session.release();
  }
}

/** A session on each source; what is not committed when they are given back is undone. */
async function runOnSeveral(
  context: Context,
  { cancellation }: WriteTask,
  prepared: PreparedWrite,
  names: readonly string[],
): Promise<string> {
  const sessions: Session[] = [];
  const forget = cancellation.onCancel(() => {
    for (const session of sessions) session.cancel();
  });
  try {
    const rounds = new Map<string, RunWrites>();
    for (const name of names) {
      const source = context.sources.get(name);
      const session = await source.openSession(cancellation);
      sessions.push(session);
      rounds.set(name, roundsOn(session, source));
      if (cancellation.isCancelled) throw new SourceError('cancelled');
    }
    return await prepared.run(roundsAcross({ rounds, onCommit: forget }));
  } finally {
    forget();
    for (const session of sessions) session.release();
  }
}

function isStale(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'statement-stale';
}
