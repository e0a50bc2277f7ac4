/** The metrics in Prometheus's text format. The only place that imports prom-client. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Counts } from './access/counts.js';
import type { WorkerCounts, WorkerReport } from '../workers/protocol.js';
import type { DispatcherCounters } from './dispatcher/dispatcher.js';
import type { PlanCacheCounters } from './plan-cache.js';
import { totalCount, totalsOf } from './statistics/pool-totals.js';
import type { SourceHealth } from './statistics/source-watch.js';
import type { Traffic } from './statistics/traffic.js';
import { head, type Labels, line, writeTraffic } from './write-traffic.js';

export interface Measurements {
  readonly plans: PlanCacheCounters;
  readonly dispatcher: DispatcherCounters;
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

/** The counts of each key or token, under its name: the name after `rowgate_principal_`, and the help text. */
const senderSeries: readonly (readonly [keyof Counts, string, string])[] = [
  ['requests', 'requests', 'Requests of each key or token; anonymous: without a valid one.'],
  ['refused', 'refusals', 'Requests that were refused because of who sent them.'],
  ['rows', 'rows', 'Rows of the answers, without included ones, and rows that were written.'],
];

/** Creates the writer, with the runtime's own metrics (memory, event-loop lag, garbage collection) under their usual names. */
export function createMetrics(): WriteMetrics {
  const runtime = new Registry();
  collectDefaultMetrics({ register: runtime });
  return async (measurements) => {
    const { senders = new Map<string, Counts>(), traffic } = measurements;
    const own = [
      ...series.map(([name, help, read]) => metric(name, help, [[{}, read(measurements)]])),
      ...senderSeries.map(([count, end, help]) => {
        const samples = [...senders].map(([principal, counts]): Sample => {
          return [{ principal }, counts[count]];
        });
        return metric(`principal_${end}_total`, help, samples);
      }),
      ...sourceMetrics(measurements),
    ];
    return `${await runtime.metrics()}\n${own.join('\n\n')}\n${writeTraffic(traffic)}`;
  };
}

/** Whether the sources can be used, and the connections to them. */
function sourceMetrics({ sources, workers }: Measurements): readonly string[] {
  const isUp = ({ state }: SourceHealth) => state === 'ready' || state === 'read-only';
  const known = sources.filter(({ state }) => state !== 'unknown');
  const down = known.filter((each) => !isUp(each));
  const pools = [...totalsOf(workers)];
  return [
    metric(
      'source_up',
      'Whether the source answers and has connections: 1 or 0.',
      known.map((each) => [{ source: each.name }, isUp(each) ? 1 : 0]),
    ),
    metric(
      'source_fault',
      'Why the source cannot be used: 1 for each cause.',
      down.map(({ name: source, state, cause = '' }) => [{ source, state, cause }, 1]),
    ),
    metric(
      'pool_connections',
      'Open connections: in_use or idle.',
      pools.flatMap(([source, { inUse, idle }]): Sample[] => [
        [{ source, state: 'in_use' }, inUse],
        [{ source, state: 'idle' }, idle],
      ]),
    ),
    metric(
      'pool_connections_max',
      'The most connections to the source.',
      pools.map(([source, { max }]) => [{ source }, max]),
    ),
    metric(
      'pool_waiting',
      'Requests that wait for a connection to the source.',
      pools.map(([source, { waiting }]) => [{ source }, waiting]),
    ),
  ];
}

type Sample = readonly [labels: Labels, value: number];

/** A metric with its values; `end`: its name after `rowgate_`. */
function metric(end: string, help: string, samples: readonly Sample[]): string {
  const name = `rowgate_${end}`;
  const lines = samples.map(([labels, value]) => line(name, labels, value));
  return [...head(name, end.endsWith('_total') ? 'counter' : 'gauge', help), ...lines].join('\n');
}

function sum(name: keyof WorkerCounts): (from: Measurements) => number {
  return ({ workers }) => totalCount(workers, name);
}
