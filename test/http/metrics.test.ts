import { expect, test } from 'vitest';
import { createMetrics } from '../../src/gateway/observe-metrics.js';

const counts = { batches: 2, batched: 60, single: 3, failed: 1, waitedMs: 12.5, runaways: 1 };
const plans = { hits: 7, misses: 1, evictions: 0, entries: 1, bytes: 4000 };
const dispatcher = {
  workers: 2,
  unanswered: 5,
  dispatched: 9,
  refused: 0,
  workersLost: 0,
  overdue: 0,
};

test("writes the counters, summed over all workers, in Prometheus's text format", async () => {
  const text = await createMetrics()({ plans, dispatcher, workers: [counts, counts] });
  expect(text).toContain('\nrowgate_batched_requests_total 120\n');
  expect(text).toContain('\nrowgate_batch_wait_milliseconds_total 25\n');
  expect(text).toContain('\nrowgate_plan_cache_hits_total 7\n');
  expect(text).toContain('\nrowgate_workers 2\n');
  expect(text).toContain('\nrowgate_runaway_statements 2\n');
  expect(text).toMatch(/^rowgate_process_resident_memory_bytes \d+$/m);
});

test('totals are counters, and current values are gauges, however often they are read', async () => {
  const write = createMetrics();
  await write({ plans, dispatcher, workers: [counts] });
  const text = await write({ plans: { ...plans, hits: 9 }, dispatcher, workers: [counts] });
  expect(text).toContain('# TYPE rowgate_plan_cache_hits_total counter\n');
  expect(text).toContain('\nrowgate_plan_cache_hits_total 9\n');
  expect(text).toContain('# TYPE rowgate_plan_cache_entries gauge\n');
});
