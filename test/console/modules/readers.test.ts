/** The answers of the gateway that the console parses: timings, metrics, plans, numbers. */
import { describe, expect, test } from 'vitest';
import { readTiming } from '../../../src/console/gateway/server-timing.js';
import { measure } from '../../../src/console/live/measure.js';
import { readMetrics } from '../../../src/console/live/prometheus.js';
import { planSteps, readExplanation } from '../../../src/console/plan/explanation.js';
import { exactText, parseExact } from '../../../src/console/rows/exact-json.js';

test('the parts of a Server-Timing header have names, times and descriptions', () => {
  expect(readTiming('plan;dur=0.1, db;desc="a, b";dur=12.5, cache, wait;dur=x')).toEqual([
    { name: 'plan', ms: 0.1 },
    { name: 'db', ms: 12.5, description: 'a, b' },
  ]);
  expect(readTiming(null)).toEqual([]);
});

describe('the metrics', () => {
  const text = (
    requests: number,
    fast: number,
    slow: number,
  ) => `# HELP rowgate_requests_total Requests.
# TYPE rowgate_requests_total counter
rowgate_requests_total{method="POST",route="/execute",status="200"} ${requests}
rowgate_requests_total{method="GET",route="/metrics",status="200"} ${requests * 7}
rowgate_request_duration_seconds_bucket{method="POST",route="/execute",le="0.01"} ${fast}
rowgate_request_duration_seconds_bucket{method="POST",route="/execute",le="0.1"} ${fast + slow}
rowgate_request_duration_seconds_bucket{method="POST",route="/execute",le="+Inf"} ${fast + slow}
rowgate_errors_total{code="a \\"b\\" c"} 3
rowgate_pool_connections{source="default",state="in_use"} 2
rowgate_pool_connections{source="other",state="in_use"} 1
rowgate_batches_total ${requests / 4}
rowgate_batched_requests_total ${requests}
rowgate_single_requests_total 5
`;
  const reading = (at: number, body: string) => ({ at, metrics: readMetrics(body) });

  test('are read with their labels', () => {
    const metrics = readMetrics(text(1, 1, 1));
    expect(metrics.get('rowgate_errors_total')).toEqual([
      { labels: { code: 'a "b" c' }, value: 3 },
    ]);
    expect(metrics.get('rowgate_single_requests_total')).toEqual([{ labels: {}, value: 5 }]);
  });

  test('show what happened between two readings, without the requests of the console', () => {
    const before = reading(1000, text(100, 90, 10));
    const after = reading(3000, text(300, 180, 120));
    expect(measure(before, after)).toMatchObject({
      requests: 100,
      failures: 0,
      batchSize: 4,
      batchedShare: 1,
      inUse: 3,
    });
  });

  test('give the median and the 99th percentile of the time between', () => {
    const measured = measure(reading(0, text(0, 0, 0)), reading(1000, text(200, 180, 20)));
    expect(measured.median).toBeCloseTo((10 * 100) / 180, 5);
    expect(measured.p99).toBeCloseTo(10 + 90 * (18 / 20), 5);
  });

  test('that are not reported have no value', () => {
    const empty = reading(0, '');
    expect(measure(empty, { ...empty, at: 1000 })).toMatchObject({
      median: undefined,
      inUse: undefined,
      hitRate: undefined,
    });
  });
});

test('an explanation of PostgreSQL is a tree of steps', () => {
  const plan = {
    'Node Type': 'Nested Loop',
    'Plan Rows': 3,
    'Actual Rows': 2,
    'Actual Total Time': 0.5,
    Plans: [
      { 'Node Type': 'Index Scan', 'Index Name': 'pk', 'Relation Name': 'a', 'Total Cost': 8 },
    ],
  };
  const read = readExplanation({ entity: 'Orders', explain: [{ Plan: plan }], children: [{}] });
  expect(read).toMatchObject({ entity: 'Orders', children: [{ explain: null }] });
  expect(planSteps(read?.explain)).toMatchObject({
    name: 'Nested Loop',
    rows: 2,
    actualMs: 0.5,
    steps: [{ name: 'Index Scan', target: 'pk on a', cost: 8, steps: [] }],
  });
  expect(planSteps({ query_block: {} })).toBeUndefined();
});

test('rows keep the text of values that are not numbers', () => {
  const value = parseExact('{"a": [1, "x", null, true, {}], "b": "12345678901234567890"}');
  expect(JSON.parse(exactText(value))).toEqual({
    a: [1, 'x', null, true, {}],
    b: '12345678901234567890',
  });
});
