/** `GET /stats`: statistics of plans, sources and caches; `DELETE /stats` resets those of plans. */
import { didYouMean } from '../../engine/index.js';
import type { WorkerReport } from '../../workers/protocol.js';
import type { Call } from '../call.js';
import { Refusal } from '../errors.js';
import { MONITORING_PATHS } from '../monitoring-paths.js';
import { rounded } from '../statistics/plan-recorder.js';
import type { PlanRecord } from '../statistics/plan-statistics.js';
import { totalsOf } from '../statistics/pool-totals.js';
import type { Traffic } from '../statistics/traffic.js';

export function answerStats(call: Call): void {
  const order = readOrder(call.exchange.query);
  call.service.dispatchers
    .countWorkers()
    .then((workers) => call.sendValue(describeStats(call, workers, order)))
    .catch((error: unknown) => call.sendFault(error));
}

export function resetStats(call: Call): void {
  call.service.statistics.reset();
  call.sendEmpty(204, []);
}

const LIMIT = 50;
const LIMIT_MAX = 10_000;

/** What plans can be sorted by, the largest first. */
const SORTS = [
  ...(['totalMs', 'meanMs', 'p99Ms', 'maxMs', 'databaseMs'] as const),
  ...(['calls', 'errors', 'cancelled', 'rows', 'batchSize'] as const),
];

interface Order {
  readonly sort: (typeof SORTS)[number];
  readonly limit: number;
}

/** Throws a `Refusal`. */
function readOrder(query: string): Order {
  const parameters = new URLSearchParams(query);
  const wished = parameters.get('sort') ?? 'totalMs';
  const sort = SORTS.find((each) => each === wished);
  if (sort === undefined) {
    const hint = didYouMean(wished, SORTS) ?? '';
    const detail = `Plans can be sorted by ${SORTS.join(', ')}. ${hint}`;
    throw new Refusal('options-invalid', detail.trimEnd());
  }
  const limit = parameters.get('limit') ?? String(LIMIT);
  if (!/^\d{1,5}$/.test(limit) || Number(limit) > LIMIT_MAX) {
    throw new Refusal('options-invalid', `The limit is a number from 0 to ${LIMIT_MAX}.`);
  }
  return { sort, limit: Number(limit) };
}

function describeStats(call: Call, workers: readonly WorkerReport[], order: Order) {
  const { plans, dispatchers, statistics, traffic, sources, senders } = call.service;
  const records = statistics.all;
  const { sort, limit } = order;
  const shown = records.map(describePlan).toSorted((a, b) => b[sort] - a[sort]);
  const pools = totalsOf(workers);
  const { workers: running, unanswered, refused, overdue, workersLost } = dispatchers.counters;
  const { batches, batched, single, failed } = dispatchers.totals.batching;
  return {
    since: new Date(statistics.since).toISOString(),
    uptimeMs: Math.round(performance.now()),
    requests: {
      answered: traffic.routes.reduce((sum, route) => sum + route.answered, 0),
      unanswered,
      refused,
      overdue,
      errors: Object.fromEntries(traffic.errors),
      latency: describeLatency(traffic),
    },
    ...(senders && { principals: Object.fromEntries(senders) }),
    batches: { batches, batched, single, failed },
    workers: { running, lost: workersLost },
    sources: sources.sources.map((source) => {
      const { waitingMs = 0, ...pool } = pools.get(source.name) ?? {};
      return { ...source, pool: { ...pool, waitingMs: Math.round(waitingMs) } };
    }),
    caches: { plans: plans.counters },
    planCount: records.length,
    plansDropped: statistics.dropped,
    plans: shown.slice(0, limit),
  };
}

/** Of monitoring, and of the console. */
const OWN_PATHS = new Set([...MONITORING_PATHS, '/stats', '/console', '/console/{file}']);

/** How many requests took at most each of the times; the last number is of those that took longer than all of them. */
function describeLatency({ routes, boundsMs }: Traffic) {
  const counted = routes.filter(({ path }) => !OWN_PATHS.has(path));
  const counts = [...boundsMs, Infinity].map((_, bucket) =>
    counted.reduce((sum, { buckets }) => sum + (buckets[bucket] ?? 0), 0),
  );
  return { boundsMs, counts };
}

function describePlan(record: PlanRecord) {
  const { key, planId, calls, errors, cancelled, tally } = record;
  return {
    planId,
    expression: key.expression,
    stage: key.stage,
    view: key.view,
    calls,
    errors,
    cancelled,
    rows: tally.rows,
    totalMs: rounded(record.totalMs),
    meanMs: calls === 0 ? 0 : rounded(record.totalMs / calls),
    p99Ms: rounded(record.p99Ms),
    maxMs: rounded(record.maxMs),
    databaseMs: rounded(tally.databaseMs),
    /** How many requests a statement has served on average. */
    batchSize: tally.statements === 0 ? 0 : rounded(tally.requests / tally.statements),
  };
}
