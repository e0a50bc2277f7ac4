/** The metrics of the service in Prometheus's text format. The one place that knows of prom-client. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { BatchingCounts } from '../workers/protocol.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import type { PlanCacheCounters } from './plan-cache.js';

/** What is measured at one moment. */
export interface Measurements {
  readonly plans: PlanCacheCounters;
  readonly dispatcher: DispatcherCounters;
  /** One a worker. */
  readonly batching: readonly BatchingCounts[];
}

/** Writes the metrics; their content type is `metricsType`. */
export type WriteMetrics = (measurements: Measurements) => Promise<string>;

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** What is told: the name behind `rowgate_`, what it is, and where it stands. */
const series: readonly (readonly [string, string, (from: Measurements) => number])[] = [
  ['plan_cache_hits_total', 'Queries whose plan was kept.', ({ plans }) => plans.hits],
  ['plan_cache_misses_total', 'Queries that were compiled.', ({ plans }) => plans.misses],
  ['plan_cache_evictions_total', 'Plans that made room.', ({ plans }) => plans.evictions],
  ['plan_cache_entries', 'Plans that are kept.', ({ plans }) => plans.entries],
  ['plan_cache_bytes', 'Bytes of the plans that are kept.', ({ plans }) => plans.bytes],
  ['workers', 'Worker threads that serve.', ({ dispatcher }) => dispatcher.workers],
  ['requests_unanswered', 'Requests in workers.', ({ dispatcher }) => dispatcher.unanswered],
  [
    'requests_dispatched_total',
    'Requests sent to workers.',
    ({ dispatcher }) => dispatcher.dispatched,
  ],
  [
    'requests_refused_total',
    'Requests for which there was no room.',
    ({ dispatcher }) => dispatcher.refused,
  ],
  ['workers_lost_total', 'Workers that failed.', ({ dispatcher }) => dispatcher.workersLost],
  ['batches_total', 'Statements that served several requests.', sum('batches')],
  ['batched_requests_total', 'Requests that such statements served.', sum('batched')],
  ['single_requests_total', 'Reads that had a statement of their own.', sum('single')],
  ['failed_batches_total', 'Batches whose requests ran by themselves.', sum('failed')],
  ['batch_wait_milliseconds_total', 'What requests waited for their batches.', sum('waitedMs')],
];

/** Makes the writer, with the runtime's own metrics (memory, event loop, garbage collection). */
export function createMetrics(): WriteMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'rowgate_' });
  const gauges = series.map(([name, help, read]) => {
    const gauge = new Gauge({ name: `rowgate_${name}`, help, registers: [registry] });
    return { gauge, read };
  });
  return (measurements) => {
    for (const { gauge, read } of gauges) gauge.set(read(measurements));
    return registry.metrics();
  };
}

function sum(name: keyof BatchingCounts): (from: Measurements) => number {
  return ({ batching }) => batching.reduce((total, each) => total + each[name], 0);
}
