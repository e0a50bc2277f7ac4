/** The connections to each source, over all workers. */
import type { PoolState, WorkerReport } from '../../workers/protocol.js';

/** By the name of the source. */
export type PoolTotals = ReadonlyMap<string, Omit<PoolState, 'source'>>;

export function totalsOf(workers: readonly WorkerReport[]): PoolTotals {
  const totals = new Map<string, Omit<PoolState, 'source'>>();
  for (const { source, ...pool } of workers.flatMap(({ pools }) => pools)) {
    const sum = totals.get(source);
    totals.set(source, {
      max: pool.max + (sum?.max ?? 0),
      inUse: pool.inUse + (sum?.inUse ?? 0),
      idle: pool.idle + (sum?.idle ?? 0),
      waiting: pool.waiting + (sum?.waiting ?? 0),
      waitingMs: Math.max(pool.waitingMs, sum?.waitingMs ?? 0),
    });
  }
  return totals;
}
