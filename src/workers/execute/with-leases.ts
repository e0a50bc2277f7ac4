/** Connections to several sources for one request: taken together, cancelled together, given back. */
import { invariant } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import type { Lease } from '../database/lease.js';
import type { SourceRegistry } from '../database/registry.js';
import { SourceError } from '../database/source-error.js';
import type { LeaseOptions } from '../database/source.js';

/** Leases by the names of their sources. */
export type Leases = ReadonlyMap<string, Lease>;

export interface LeasesOrder extends LeaseOptions {
  readonly sources: SourceRegistry;
  /** In the order in which all requests take them, so that no two wait for each other. */
  readonly names: readonly string[];
  readonly cancellation: Cancellation;
}

/**
 * Holds a lease of each source while `work` runs; what it has not committed is undone. A cancel stops all
 * of them until `work` calls `shield`.
 */
export async function withLeases<Result>(
  { sources, names, cancellation, ...options }: LeasesOrder,
  work: (leases: Leases, shield: () => void) => Promise<Result>,
): Promise<Result> {
  const leases = new Map<string, Lease>();
  const shield = cancellation.onCancel(() => {
    for (const lease of leases.values()) lease.cancel();
  });
  try {
    for (const name of names) {
      leases.set(name, await sources.get(name).lease(cancellation, options));
      if (cancellation.isCancelled) throw new SourceError('cancelled');
    }
    return await work(leases, shield);
  } catch (error) {
    // Everything is rolled back before the error is passed on; a connection that cannot roll back is
    // closed.
    await rollBackAll(leases).catch(() => undefined);
    throw error;
  } finally {
    shield();
    for (const lease of leases.values()) lease.release();
  }
}

/** Whether tables changed under a prepared statement: what is undone may be run once more. */
export function isStale(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'statement-stale';
}

/** The lease of a source. */
export function leaseOf(leases: Leases, source: string): Lease {
  const lease = leases.get(source);
  invariant(lease, `a connection to the source ${source}`);
  return lease;
}

/** Undoes what is not committed. */
export async function rollBackAll(leases: Leases): Promise<void> {
  for (const lease of leases.values()) await lease.rollBack();
}
