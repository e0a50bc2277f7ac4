/**
 * Runs a prepared write. A write with a single round trip shares its commit with others; any other
 * write leases a connection to each source that it uses.
 */
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import type { ReadyPlan } from '../plans.js';
import { LazyLease } from './lazy-lease.js';
import type { PreparedWrite, WriteAnswer } from './prepare-write.js';
import { sourceNames } from './read.js';
import { repeatOnConflict } from './repeat.js';
import type { SharedCommits } from './shared-commits.js';
import { rollBackAll, withLeases } from './with-leases.js';
import { runAcross } from './write-across.js';
import type { RunWrites } from './write-rows.js';

/** A write, its cancellation, and the batcher that it may use. */
export interface WriteRun {
  readonly ready: ReadyPlan;
  readonly cancellation: Cancellation;
  /** The batcher of the plan's source; if absent, it commits alone. */
  readonly batcher?: SharedCommits | undefined;
  /** A comment for its statements. */
  readonly comment?: string | undefined;
  /** Counts the rows that are written. */
  readonly answer?: { rows: number };
}

/**
 * Runs a prepared write and returns its answer. Rejects with an `EngineError` or a `SourceError`.
 */
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

/** Runs again, after a rollback, if a cached plan was invalid or another transaction conflicted. */
function runOnOne(
  { sources, settings }: Context,
  { ready, cancellation, batcher, answer, comment }: WriteRun,
  prepared: PreparedWrite,
): Promise<WriteAnswer> {
  const lease = new LazyLease(sources.get(ready.plan.root.source), cancellation, comment);
  const runWrites: RunWrites = async (given, last, _statement, guard) => {
    const statements = guard ? [...given, guard] : given;
    const written = await (batcher && last && !lease.isTaken
      ? batcher.write(statements, cancellation)
      : lease.write(statements, last));
    if (answer) for (const { count } of written.slice(0, given.length)) answer.rows += count;
    return written;
  };
  const repetition = { cancellation, settings, rollBack: () => lease.rollBack() };
  const running = repeatOnConflict(repetition, () => {
    if (answer) answer.rows = 0;
    return prepared.run(runWrites);
  });
  return running.finally(() => lease.release());
}

/** Runs again in the same way; not after the first commit, whose error has another code. */
function runOnSeveral(
  { sources, settings }: Context,
  { cancellation, comment }: WriteRun,
  prepared: PreparedWrite,
  names: readonly string[],
): Promise<WriteAnswer> {
  return withLeases({ sources, names, cancellation, comment }, (leases, shield) => {
    const repetition = { cancellation, settings, rollBack: () => rollBackAll(leases) };
    return repeatOnConflict(repetition, () =>
      prepared.run(runAcross({ leases, onCommit: shield })),
    );
  });
}
