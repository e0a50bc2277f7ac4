/** Leases connections to several sources for a request: acquired, cancelled and released together. */
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
  /** In an order that is the same for all requests, so that they cannot deadlock. */
  readonly names: readonly string[];
  readonly cancellation: Cancellation;
  /**
   * Whether the work can be done again after this error, without any effect of the first attempt. It is
   * done again if it failed at once, because an idle connection may have died unnoticed. A statement
   * that somebody has killed is not.
   */
  readonly mayRepeat?: (error: unknown) => boolean;
}

/** Rolls back what `work` has not committed. A cancellation stops everything until `work` calls `shield`. */
export async function withLeases<Result>(
  { mayRepeat, ...order }: LeasesOrder,
  work: Work<Result>,
): Promise<Result> {
  let begunAt = Number.NEGATIVE_INFINITY;
  try {
    return await workOn(order, (leases, shield) => {
      begunAt = performance.now();
      return work(leases, shield);
    });
  } catch (error) {
    const isLate = performance.now() - begunAt > AT_ONCE_MS;
    if (isLate || order.cancellation.isCancelled || mayRepeat?.(error) !== true) throw error;
  }
  return workOn({ ...order, isFresh: true }, work);
}

const AT_ONCE_MS = 1000;

type Work<Result> = (leases: Leases, shield: () => void) => Promise<Result>;

async function workOn<Result>(
  { sources, names, cancellation, ...options }: Omit<LeasesOrder, 'mayRepeat'>,
  work: Work<Result>,
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

/** Whether tables changed under a prepared statement; the request can run again after its rollback. */
export function isPlanInvalid(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'cached-plan-invalid';
}

/** Whether the source failed: its connection was lost, or it refuses to work. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof SourceError && error.code === 'source-unavailable';
}

export function leaseOf(leases: Leases, source: string): Lease {
  const lease = leases.get(source);
  invariant(lease, `a connection to the source ${source}`);
  return lease;
}

export async function rollBackAll(leases: Leases): Promise<void> {
  for (const lease of leases.values()) await lease.rollBack();
}
