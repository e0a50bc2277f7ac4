/** The metrics in Prometheus's text format. The only place that imports prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Counts } from './access/counts.js';
import type { WorkerCounts } from '../workers/protocol.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import type { PlanCacheCounters } from './plan-cache.js';

/** The counters at one moment. */
export interface Measurements {
  readonly plans: PlanCacheCounters;
  readonly dispatcher: DispatcherCounters;
  /** Counters for each worker. */
  readonly workers: readonly WorkerCounts[];
  /** By the name of the key or token. */
  readonly senders?: ReadonlyMap<string, Counts> | undefined;
}

/** Writes the metrics; their content type is `metricsType`. */
export type WriteMetrics = (measurements: Measurements) => Promise<string>;

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The metrics: the name after `rowgate_`, its help text, and how it is read. Names in `_total` are counters. */
const series: readonly (readonly [string, string, (from: Measurements) => number])[] = [
  ['plan_cache_hits_total', 'Queries whose plan was in the cache.', ({ plans }) => plans.hits],
  ['plan_cache_misses_total', 'Queries that were compiled.', ({ plans }) => plans.misses],
  ['plan_cache_evictions_total', 'Plans evicted to make room.', ({ plans }) => plans.evictions],
  ['plan_cache_entries', 'Plans in the cache.', ({ plans }) => plans.entries],
  ['plan_cache_bytes', 'Bytes of the plans in the cache.', ({ plans }) => plans.bytes],
  ['workers', 'Worker threads that are running.', ({ dispatcher }) => dispatcher.workers],
  [
    'requests_unanswered',
    'Requests sent to workers and not answered yet.',
    ({ dispatcher }) => dispatcher.unanswered,
  ],
  [
    'requests_dispatched_total',
    'Requests sent to workers.',
    ({ dispatcher }) => dispatcher.dispatched,
  ],
  [
    'requests_refused_total',
    'Requests refused because the queue was full, the server was draining, or no worker was running.',
    ({ dispatcher }) => dispatcher.refused,
  ],
  [
    'requests_overdue_total',
    'Requests that were unanswered past their limits: twice --queue-wait-ms and a statement or transaction.',
    ({ dispatcher }) => dispatcher.overdue,
  ],
  ['workers_lost_total', 'Workers that crashed.', ({ dispatcher }) => dispatcher.workersLost],
  ['batches_total', 'Statements that served several requests.', sum('batches')],
  ['batched_requests_total', 'Requests served by a batch.', sum('batched')],
  ['single_requests_total', 'Reads served by their own statement.', sum('single')],
  [
    'failed_batches_total',
    'Batches that failed, so that their requests ran one by one.',
    sum('failed'),
  ],
  [
    'batch_wait_milliseconds_total',
    'Milliseconds that requests waited for their batches.',
    sum('waitedMs'),
  ],
  ['runaway_statements', 'Cancelled statements that a database is still running.', sum('runaways')],
];

/** Creates the writer, with the runtime's own metrics (memory, event loop, garbage collection). */
export function createMetrics(): WriteMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'rowgate_' });
  const setters = series.map(([name, help, read]) => {
    const set = metricOf({ name: `rowgate_${name}`, help, registers: [registry] });
    return { set, read };
  });
  const setSenders = senderMetrics(registry);
  return (measurements) => {
    for (const { set, read } of setters) set(read(measurements));
    setSenders(measurements.senders);
    return registry.metrics();
  };
}

/** The metrics of those who send requests, each under its name. */
function senderMetrics(registry: Registry): (senders: Measurements['senders']) => void {
  const common = { labelNames: ['principal'], registers: [registry] };
  const requests = new Counter({
    ...common,
    name: 'rowgate_principal_requests_total',
    help: 'Requests of each key or token; anonymous: without a valid one.',
  });
  const refused = new Counter({
    ...common,
    name: 'rowgate_principal_refusals_total',
    help: 'Requests that were refused because of who sent them.',
  });
  return (senders = new Map()) => {
    requests.reset();
    refused.reset();
    for (const [principal, counts] of senders) {
      requests.inc({ principal }, counts.requests);
      refused.inc({ principal }, counts.refused);
    }
  };
}

interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly registers: Registry[];
}

/**
 * Creates a metric, and returns the function that sets its value. A counter is reset and then increased
 * by the value.
 */
function metricOf(options: MetricOptions): (value: number) => void {
  if (!options.name.endsWith('_total')) {
    const gauge = new Gauge(options);
    return (value) => gauge.set(value);
  }
  const counter = new Counter(options);
  return (value) => {
    counter.reset();
    counter.inc(value);
  };
}

function sum(name: keyof WorkerCounts): (from: Measurements) => number {
  return ({ workers }) => workers.reduce((total, each) => total + each[name], 0);
}
