/**
 * Runs a prepared write: one that needs a single round trip shares its commit with others; any other
 * one holds a connection to each source that it touches.
 */
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import type { Written } from '../database/statement.js';
import type { ReadyPlan } from '../plans.js';
import { LazyLease } from './lazy-lease.js';
import type { WriteStatement } from './merge-writes.js';
import type { PreparedWrite, WriteAnswer } from './prepare-write.js';
import { sourceNames } from './read.js';
import { isStale, rollBackAll, withLeases } from './with-leases.js';
import { runAcross } from './write-across.js';
import type { RunWrites } from './write-rows.js';

/** Runs the writes of several requests on one source with one commit. */
export interface WriteBatcher {
  /**
   * Resolves when the statements are committed. They are all that their request writes: all of them take effect,
   * or none. Rejects with a `SourceError` of their own, whatever becomes of the other requests.
   */
  write(
    statements: readonly WriteStatement[],
    cancellation: Cancellation,
  ): Promise<readonly Written[]>;
}

/** A write, who may stop it, and with whom it may share a commit. */
export interface WriteRun {
  readonly ready: ReadyPlan;
  readonly cancellation: Cancellation;
  /** That of the plan's source; absent: it commits alone. */
  readonly batcher?: WriteBatcher | undefined;
}

/** Runs a prepared write, and gives its answer. Rejects with an `EngineError` or a `SourceError`. */
export function runWrite(
  context: Context,
  run: WriteRun,
  prepared: PreparedWrite,
): Promise<WriteAnswer> {
  if (prepared.isEmpty) return prepared.run(() => Promise.resolve([]));
  const names = sourceNames(run.ready.plan.root);
  return names.length > 1
    ? runOnSeveral(context, run, prepared, names)
    : runOnOne(context, run, prepared);
}

/** Once more when a statement was stale: nothing of the first attempt is left. */
async function runOnOne(
  { sources }: Context,
  { ready, cancellation, batcher }: WriteRun,
  prepared: PreparedWrite,
): Promise<WriteAnswer> {
  const lease = new LazyLease(sources.get(ready.plan.root.source), cancellation);
  const runWrites: RunWrites = (statements, last) =>
    batcher && last && !lease.isTaken
      ? batcher.write(statements, cancellation)
      : lease.write(statements, last);
  try {
    return await prepared.run(runWrites);
  } catch (error) {
    if (!isStale(error)) throw error;
    await lease.rollBack();
    return await prepared.run(runWrites);
  } finally {
    lease.release();
  }
}

function runOnSeveral(
  { sources }: Context,
  { cancellation }: WriteRun,
  prepared: PreparedWrite,
  names: readonly string[],
): Promise<WriteAnswer> {
  return withLeases({ sources, names, cancellation }, async (leases, shield) => {
    const run = () => prepared.run(runAcross({ leases, onCommit: shield }));
    try {
      return await run();
    } catch (error) {
      if (!isStale(error)) throw error;
      await rollBackAll(leases);
      return await run();
    }
  });
}
