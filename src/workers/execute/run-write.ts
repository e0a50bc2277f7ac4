/** Runs a prepared write on sessions of its own: one, or one of each source that it touches. */
import type { Context } from '../context.js';
import type { ReadyPlan } from '../plans.js';
import { SourceError } from '../database/source-error.js';
import type { Session } from '../database/source.js';
import type { Cancellation } from '../cancellation.js';
import { type PreparedWrite, roundsOn } from './prepare-write.js';
import { roundsAcross } from './rounds-across.js';
import { sourceNames } from './run-query.js';
import type { RunWrites } from './write-rows.js';

/** A write, and who may stop it. */
export interface WriteRun {
  readonly ready: ReadyPlan;
  readonly cancellation: Cancellation;
}

/** Runs a prepared write, and gives its answer. Rejects with an `EngineError` or a `SourceError`. */
export function runWrite(
  context: Context,
  task: WriteRun,
  prepared: PreparedWrite,
): Promise<string> {
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
  { ready, cancellation }: WriteRun,
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
  { cancellation }: WriteRun,
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
