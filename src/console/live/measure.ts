/** Computes what happened between two readings of `GET /stats`. */
import type { Stats } from './stats.js';

export interface Reading {
  readonly stats: Stats;
  /** In milliseconds, by a monotonic clock. */
  readonly at: number;
}

export type Measured = ReturnType<typeof measure>;

/** The values of one interval; undefined if nothing happened that has them. */
export function measure(before: Reading, after: Reading) {
  const { requests, sources, caches } = after.stats;
  const seconds = Math.max((after.at - before.at) / 1000, 0.001);
  // The counters of a gateway that was started again begin at 0.
  const grown = (read: (stats: Stats) => number) =>
    Math.max(read(after.stats) - read(before.stats), 0);
  const now = (name: 'inUse' | 'idle' | 'waiting') =>
    sources.reduce((sum, { pool }) => sum + (pool[name] ?? 0), 0);

  const { boundsMs } = requests.latency;
  const counts = [...boundsMs, Infinity].map((_, bucket) =>
    grown((stats) => stats.requests.latency.counts[bucket] ?? 0),
  );
  const batches = grown((stats) => stats.batches.batches);
  const batched = grown((stats) => stats.batches.batched);
  const single = grown((stats) => stats.batches.single);
  const hits = grown((stats) => stats.caches.plans.hits);
  const misses = grown((stats) => stats.caches.plans.misses);
  return {
    // Per second.
    requests: sumOf(counts) / seconds,
    failures: grown((stats) => sumOf(Object.values(stats.requests.errors))) / seconds,
    // In milliseconds.
    median: quantile(boundsMs, counts, 0.5),
    p99: quantile(boundsMs, counts, 0.99),
    // Requests per statement.
    batchSize: ratio(batched + single, batches + single),
    // From 0 to 1.
    batchedShare: ratio(batched, batched + single),
    hitRate: ratio(hits, hits + misses),
    plans: caches.plans.entries,
    inUse: now('inUse'),
    idle: now('idle'),
    waiting: now('waiting'),
    unanswered: requests.unanswered,
  };
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Interpolated within its bucket, as Prometheus does. */
function quantile(
  bounds: readonly number[],
  counts: readonly number[],
  share: number,
): number | undefined {
  const rank = share * sumOf(counts);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const lower = bounds[bucket - 1] ?? 0;
      const upper = bounds[bucket] ?? lower;
      return lower + (upper - lower) * ((rank - below) / count);
    }
    below += count;
  }
  return undefined;
}
