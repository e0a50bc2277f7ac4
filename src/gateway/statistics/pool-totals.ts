/** What the workers report, over all of them. */
import type { PoolState, WorkerReport } from '../../workers/protocol.js';

/** The number of cancelled statements that a database is still running. */
export function runawaysOf(workers: readonly WorkerReport[]): number {
  return workers.reduce((total, { counts }) => total + counts.runaways, 0);
}

/** The connections to each source, by its name. */
export function totalsOf(workers: readonly WorkerReport[]) {
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
