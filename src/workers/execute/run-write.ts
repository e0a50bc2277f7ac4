/**
 * Runs a prepared write: one that needs a single round trip shares its commit with others; any other
 * one holds a connection to each source that it touches.
 */
import type { Cancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import type { Lease } from '../database/lease.js';
import type { Source } from '../database/source.js';
import type { Statement, Written } from '../database/statement.js';
import type { ReadyPlan } from '../plans.js';
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
  const { root } = run.ready.plan;
  const names = sourceNames(root);
  if (names.length > 1) return runOnSeveral(context, run, prepared, names);
  return runOnOne(new LazyLease(context.sources.get(root.source), run), prepared);
}

/** Once more when a statement was stale: nothing of the first attempt is left. */
async function runOnOne(lease: LazyLease, prepared: PreparedWrite): Promise<WriteAnswer> {
  try {
    return await prepared.run(lease.runWrites);
  } catch (error) {
    if (!isStale(error)) throw error;
    await lease.rollBack();
    return await prepared.run(lease.runWrites);
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

/** A connection that is taken when the first round trip is not the last. */
class LazyLease {
  readonly #source: Source;
  readonly #run: WriteRun;
  #lease: Lease | undefined;
  #forget: (() => void) | undefined;

  constructor(source: Source, run: WriteRun) {
    this.#source = source;
    this.#run = run;
  }

  readonly runWrites: RunWrites = (statements, last) => {
    const { batcher, cancellation } = this.#run;
    if (this.#lease) return this.#lease.write(statements, last);
    if (last && batcher) return batcher.write(statements, cancellation);
    return this.#take(statements, last);
  };

  async rollBack(): Promise<void> {
    await this.#lease?.rollBack();
  }

  release(): void {
    this.#forget?.();
    this.#lease?.release();
  }

  async #take(statements: readonly Statement[], last: boolean): Promise<readonly Written[]> {
    const { cancellation } = this.#run;
    const lease = await this.#source.lease(cancellation);
    this.#lease = lease;
    this.#forget = cancellation.onCancel(() => lease.cancel());
    return lease.write(statements, last);
  }
}
