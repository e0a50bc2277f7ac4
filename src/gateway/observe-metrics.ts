/** The metrics in Prometheus's text format. The only place that imports prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Counts } from './access/counts.js';
import type { BatchingCounts, WorkerReport } from '../workers/protocol.js';
import type { Dispatchers } from './dispatcher/dispatchers.js';
import type { PlanCacheCounters } from './plan-cache.js';
import { runawaysOf, totalsOf } from './statistics/pool-totals.js';
import type { SourceHealth } from './statistics/source-watch.js';
import type { Traffic } from './statistics/traffic.js';
import { writeTraffic } from './write-traffic.js';

export interface Measurements {
  readonly plans: PlanCacheCounters;
  readonly dispatcher: Dispatchers['counters'];
  /** Since the start. */
  readonly batching: BatchingCounts;
  /** Of the running workers. */
  readonly workers: readonly WorkerReport[];
  readonly traffic: Traffic;
  readonly sources: readonly SourceHealth[];
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
    'Requests refused because a queue was full, the server was draining, or no worker was running.',
    ({ dispatcher }) => dispatcher.refused,
  ],
  [
    'requests_overdue_total',
    'Requests that were unanswered past their limits: twice --queue-wait-ms and a statement or transaction.',
    ({ dispatcher }) => dispatcher.overdue,
  ],
  ['workers_lost_total', 'Workers that crashed.', ({ dispatcher }) => dispatcher.workersLost],
  ['batches_total', 'Statements that served several requests.', ({ batching }) => batching.batches],
  ['batched_requests_total', 'Requests served by a batch.', ({ batching }) => batching.batched],
  [
    'single_requests_total',
    'Reads served by their own statement.',
    ({ batching }) => batching.single,
  ],
  [
    'failed_batches_total',
    'Batches that failed, so that their requests ran one by one.',
    ({ batching }) => batching.failed,
  ],
  [
    'batch_wait_milliseconds_total',
    'Milliseconds that requests waited for their batches.',
    ({ batching }) => batching.waitedMs,
  ],
  [
    'runaway_statements',
    'Cancelled statements that a database is still running.',
    ({ workers }) => runawaysOf(workers),
  ],
];

/** Creates the writer, with the runtime's own metrics (memory, event-loop lag, garbage collection) under their usual names. */
export function createMetrics(): WriteMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setters = series.map(([name, help, read]) => {
    const set = metricOf({ name: `rowgate_${name}`, help, registers: [registry] });
    return { set, read };
  });
  const setSenders = senderMetrics(registry);
  const setSources = sourceMetrics(registry);
  return async (measurements) => {
    for (const { set, read } of setters) set(read(measurements));
    setSenders(measurements.senders);
    setSources(measurements);
    return `${await registry.metrics()}${writeTraffic(measurements.traffic)}`;
  };
}

/** Whether the sources can be used, and the connections to them. */
function sourceMetrics(registry: Registry): (measurements: Measurements) => void {
  const common = { labelNames: ['source'], registers: [registry] };
  const gauge = (name: string, help: string, labelNames = common.labelNames) =>
    new Gauge({ ...common, labelNames, name: `rowgate_${name}`, help });
  const up = gauge('source_up', 'Whether the source answers and has connections: 1 or 0.');
  const fault = gauge('source_fault', 'Why the source cannot be used: 1 for each cause.', [
    ...['source', 'state', 'cause'],
  ]);
  const connections = gauge('pool_connections', 'Open connections: in_use or idle.', [
    ...['source', 'state'],
  ]);
  const max = gauge('pool_connections_max', 'The most connections to the source.');
  const waiting = gauge('pool_waiting', 'Requests that wait for a connection to the source.');
  return ({ sources, workers }) => {
    for (const each of [up, fault, connections, max, waiting]) each.reset();
    for (const { name: source, state, cause = '' } of sources) {
      const isUp = state === 'ready' || state === 'read-only';
      if (state !== 'unknown') up.set({ source }, isUp ? 1 : 0);
      if (state !== 'unknown' && !isUp) fault.set({ source, state, cause }, 1);
    }
    for (const [source, pool] of totalsOf(workers)) {
      connections.set({ source, state: 'in_use' }, pool.inUse);
      connections.set({ source, state: 'idle' }, pool.idle);
      max.set({ source }, pool.max);
      waiting.set({ source }, pool.waiting);
    }
  };
}

/** The counts of each key or token, under its name: the name after `rowgate_principal_`, and the help text. */
const senderSeries: readonly (readonly [keyof Counts, string, string])[] = [
  ['requests', 'requests', 'Requests of each key or token; anonymous: without a valid one.'],
  ['refused', 'refusals', 'Requests that were refused because of who sent them.'],
  ['rows', 'rows', 'Rows of the answers, without included ones, and rows that were written.'],
];

function senderMetrics(registry: Registry): (senders: Measurements['senders']) => void {
  const counters = senderSeries.map(([count, end, help]) => {
    const name = `rowgate_principal_${end}_total`;
    const options = { name, help, labelNames: ['principal'], registers: [registry] };
    return [count, new Counter(options)] as const;
  });
  return (senders = new Map()) => {
    for (const [count, counter] of counters) {
      counter.reset();
      for (const [principal, counts] of senders) counter.inc({ principal }, counts[count]);
    }
  };
}

interface MetricOptions {
  readonly name: string;
  readonly help: string;
  readonly registers: Registry[];
}

/** Returns the function that sets its value. A counter is reset and then increased by the value. */
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
