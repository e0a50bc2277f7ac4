/**
 * Runs a prepared write: one that needs a single round trip shares its commit with others; any other
 * one holds a connection to each source that it touches.
 */
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import type { Lease } from '../database/lease.js';
import type { Statement, Written } from '../database/statement.js';
import type { ReadyPlan } from '../plans.js';
import type { PreparedWrite, WriteAnswer } from './prepare-write.js';
import { sourceNames } from './read.js';
import { repeatedIfStale, rollBackAll, withLeases } from './with-leases.js';
import { runAcross } from './write-across.js';
import type { RunWrites } from './write-rows.js';

/** Runs the writes of several requests on one source with one commit. */
export interface WriteBatcher {
  /**
   * Resolves when the statements are committed. They are all that their request writes: all of them take effect,
   * or none. Rejects with a `SourceError` of their own, whatever becomes of the other requests.
   */
  write(statements: readonly Statement[], cancellation: Cancellation): Promise<readonly Written[]>;
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
  if (names.length === 1) return runOnOne(context, run, prepared);
  const { sources } = context;
  const { cancellation } = run;
  return withLeases({ sources, names, cancellation }, (leases, shield) => {
    const work = (): Promise<WriteAnswer> => prepared.run(runAcross({ leases, onCommit: shield }));
    return repeatedIfStale(work, () => rollBackAll(leases));
  });
}

/** Takes a lease when the first round trip is not the last. */
async function runOnOne(
  { sources }: Context,
  { ready, cancellation, batcher }: WriteRun,
  prepared: PreparedWrite,
): Promise<WriteAnswer> {
  let lease: Lease | undefined;
  let forget = (): void => undefined;
  const runWrites: RunWrites = async (statements, last) => {
    if (!lease) {
      if (last && batcher) return batcher.write(statements, cancellation);
      const taken = await sources.get(ready.plan.root.source).lease(cancellation);
      lease = taken;
      forget = cancellation.onCancel(() => taken.cancel());
    }
    return lease.write(statements, last);
  };
  try {
    const work = (): Promise<WriteAnswer> => prepared.run(runWrites);
    return await repeatedIfStale(work, async () => lease?.rollBack());
  } finally {
    forget();
    lease?.release();
  }
}
