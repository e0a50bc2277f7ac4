import { expect, test } from 'vitest';
import { createMetrics } from '../../src/gateway/observe-metrics.js';
import { Traffic } from '../../src/gateway/statistics/traffic.js';

const batching = { batches: 4, batched: 120, single: 6, failed: 2, waitedMs: 25 };
const counts = { ...batching, runaways: 1 };
const pool = { source: 'main', max: 8, inUse: 3, idle: 1, waiting: 2, waitingMs: 7 };
const worker = { counts, pools: [pool] };
const plans = { hits: 7, misses: 1, evictions: 0, entries: 1, bytes: 4000 };
const dispatcher = {
  workers: 2,
  unanswered: 5,
  dispatched: 9,
  refused: 0,
  workersLost: 0,
  overdue: 0,
};

const since = '2026-01-01T00:00:00Z';
const main = { name: 'main', dialect: 'PostgreSQL', state: 'ready', since } as const;

function measurements() {
  const traffic = new Traffic([1, 10]);
  return { plans, dispatcher, batching, workers: [worker, worker], traffic, sources: [main] };
}

test("writes the counters, and what all workers report, in Prometheus's text format", async () => {
  const text = await createMetrics()(measurements());
  expect(text).toContain('\nrowgate_batched_requests_total 120\n');
  expect(text).toContain('\nrowgate_batch_wait_milliseconds_total 25\n');
  expect(text).toContain('\nrowgate_plan_cache_hits_total 7\n');
  expect(text).toContain('\nrowgate_workers 2\n');
  expect(text).toContain('\nrowgate_runaway_statements 2\n');
});

test("the runtime's metrics have their usual names", async () => {
  const text = await createMetrics()(measurements());
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \S+$/m);
  expect(text).toMatch(/^nodejs_heap_size_used_bytes \d+$/m);
});

test('totals are counters, and current values are gauges, however often they are read', async () => {
  const write = createMetrics();
  await write(measurements());
  const text = await write({ ...measurements(), plans: { ...plans, hits: 9 } });
  expect(text).toContain('# TYPE rowgate_plan_cache_hits_total counter\n');
  expect(text).toContain('\nrowgate_plan_cache_hits_total 9\n');
  expect(text).toContain('# TYPE rowgate_plan_cache_entries gauge\n');
});

test('requests are counted by route and status, with cumulative buckets of their latency', async () => {
  const given = measurements();
  const route = given.traffic.addRoute('GET', '/entities/{name}');
  route.count(200, 0.5);
  route.count(200, 10);
  route.count(404, 11);
  given.traffic.addRoute('GET', '/unused');
  given.traffic.failed('entity-not-found');
  const lines = (await createMetrics()(given)).split('\n');
  const labels = 'method="GET",route="/entities/{name}"';
  const duration = 'rowgate_request_duration_seconds';
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE rowgate_requests_total counter',
      `rowgate_requests_total{${labels},status="200"} 2`,
      `rowgate_requests_total{${labels},status="404"} 1`,
      `# TYPE ${duration} histogram`,
      `${duration}_bucket{${labels},le="0.001"} 1`,
      `${duration}_bucket{${labels},le="0.01"} 2`,
      `${duration}_bucket{${labels},le="+Inf"} 3`,
      `${duration}_sum{${labels}} 0.0215`,
      `${duration}_count{${labels}} 3`,
      'rowgate_errors_total{code="entity-not-found"} 1',
    ]),
  );
  expect(lines.filter((line) => line.includes('/unused'))).toEqual([]);
});

test('shows the connections of each source over all workers, and why a source is away', async () => {
  const cause = 'The database cannot be reached: its "host" is unknown.';
  const away = { ...main, name: 'other', state: 'away', cause } as const;
  const text = await createMetrics()({ ...measurements(), sources: [main, away] });
  expect(text).toContain('\nrowgate_pool_connections{source="main",state="in_use"} 6\n');
  expect(text).toContain('\nrowgate_pool_connections{source="main",state="idle"} 2\n');
  expect(text).toContain('\nrowgate_pool_connections_max{source="main"} 16\n');
  expect(text).toContain('\nrowgate_pool_waiting{source="main"} 4\n');
  expect(text).toContain('\nrowgate_source_up{source="main"} 1\n');
  expect(text).toContain('\nrowgate_source_up{source="other"} 0\n');
  const shown = cause.replaceAll('"', String.raw`\"`);
  expect(text).toContain(`rowgate_source_fault{source="other",state="away",cause="${shown}"} 1\n`);
});
