/** Computes what happened between two readings of the metrics. */
import { type Metrics, type Sample, sumOf } from './prometheus.js';

export interface Reading {
  readonly metrics: Metrics;
  /** In milliseconds, by a monotonic clock. */
  readonly at: number;
}

export type Measured = ReturnType<typeof measure>;

/** The console's own requests are not counted. */
const OWN_ROUTES = new Set(['/metrics', '/stats', '/console', '/console/{file}']);

/** The values of one interval; undefined if the gateway does not report them. */
export function measure(before: Reading, after: Reading) {
  const seconds = Math.max((after.at - before.at) / 1000, 0.001);
  const grown = (name: string, fits?: (labels: Sample['labels']) => boolean) => {
    const [old, now] = [sumOf(before.metrics, name, fits), sumOf(after.metrics, name, fits)];
    return now === undefined ? undefined : Math.max(now - (old ?? 0), 0);
  };
  const rate = (count: number | undefined) => (count === undefined ? undefined : count / seconds);
  const now = (name: string, fits?: (labels: Sample['labels']) => boolean) =>
    sumOf(after.metrics, name, fits);
  const connections = (state: string) =>
    now('rowgate_pool_connections', (each) => each['state'] === state);

  const batches = grown('rowgate_batches_total') ?? 0;
  const batched = grown('rowgate_batched_requests_total') ?? 0;
  const single = grown('rowgate_single_requests_total') ?? 0;
  const hits = grown('rowgate_plan_cache_hits_total') ?? 0;
  const misses = grown('rowgate_plan_cache_misses_total') ?? 0;
  const buckets = grownBuckets(before.metrics, after.metrics);
  return {
    // Per second.
    requests: rate(
      grown('rowgate_requests_total', isForeign) ?? grown('rowgate_requests_dispatched_total'),
    ),
    failures: rate(grown('rowgate_errors_total') ?? grown('rowgate_requests_refused_total')),
    // In milliseconds.
    median: quantile(buckets, 0.5),
    p99: quantile(buckets, 0.99),
    // Requests per statement.
    batchSize: ratio(batched + single, batches + single),
    // From 0 to 1.
    batchedShare: ratio(batched, batched + single),
    hitRate: ratio(hits, hits + misses),
    plans: now('rowgate_plan_cache_entries'),
    inUse: connections('in_use'),
    idle: connections('idle'),
    waiting: now('rowgate_pool_waiting'),
    unanswered: now('rowgate_requests_unanswered'),
  };
}

function isForeign(labels: Sample['labels']): boolean {
  return !OWN_ROUTES.has(labels['route'] ?? '');
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

/** How many requests took at most this long, by the upper bound of each bucket in milliseconds. */
type Buckets = readonly (readonly [bound: number, count: number])[];

function grownBuckets(before: Metrics, after: Metrics): Buckets {
  const name = 'rowgate_request_duration_seconds_bucket';
  const counts = new Map<number, number>();
  const add = (metrics: Metrics, sign: 1 | -1) => {
    for (const { labels, value } of metrics.get(name) ?? []) {
      if (!isForeign(labels)) continue;
      const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']) * 1000;
      counts.set(bound, (counts.get(bound) ?? 0) + sign * value);
    }
  };
  add(after, 1);
  add(before, -1);
  return [...counts].toSorted(([a], [b]) => a - b);
}

/** Interpolated within its bucket, as Prometheus does. */
function quantile(buckets: Buckets, share: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  const rank = share * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank) {
      if (bound === Infinity) return lower;
      return lower + (bound - lower) * ((rank - below) / Math.max(count - below, 1));
    }
    [lower, below] = [bound, count];
  }
  return lower;
}
