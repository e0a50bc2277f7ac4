/**
 * What has happened since the start, over all workers and services. No count decreases: what a worker has reported stays counted
 * when it ends, and so do the counts of a service that a reload replaces.
 */
import type { WorkerReport } from '../../workers/protocol.js';

export type Totals = ReturnType<typeof createTotals>;

/** Of the plan caches. */
export type PlanTotals = Totals['plans'];

/** Zeros; whoever counts increases them. */
export function createTotals() {
  return {
    plans: { hits: 0, misses: 0, evictions: 0 },
    requests: {
      /** Sent to workers. */
      dispatched: 0,
      refused: 0,
      /** Unanswered past their limits. */
      overdue: 0,
      /** The number of workers that crashed. */
      workersLost: 0,
    },
    batching: { batches: 0, batched: 0, single: 0, failed: 0, waitedMs: 0 },
  };
}

/** Adds what a worker has counted since its last report, which the new one replaces. */
export function addReported(
  { batching }: Totals,
  worker: { report: WorkerReport | undefined },
  report: WorkerReport,
): void {
  const now = report.counts;
  const before = worker.report?.counts ?? createTotals().batching;
  batching.batches += now.batches - before.batches;
  batching.batched += now.batched - before.batched;
  batching.single += now.single - before.single;
  batching.failed += now.failed - before.failed;
  batching.waitedMs += now.waitedMs - before.waitedMs;
  worker.report = report;
}
