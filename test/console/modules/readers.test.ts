/** The answers of the gateway that the console parses: timings, statistics, plans, numbers. */
import { describe, expect, test } from 'vitest';
import { readTiming } from '../../../src/console/gateway/server-timing.js';
import { measure } from '../../../src/console/live/measure.js';
import type { Stats } from '../../../src/console/live/stats.js';
import { planSteps, readExplanation } from '../../../src/console/plan/explanation.js';
import { exactText, parseExact } from '../../../src/console/rows/exact-json.js';

test('the parts of a Server-Timing header have names, times and descriptions', () => {
  expect(readTiming('plan;dur=0.1, db;desc="a, b";dur=12.5, cache, wait;dur=x')).toEqual([
    { name: 'plan', ms: 0.1 },
    { name: 'db', ms: 12.5, description: 'a, b' },
  ]);
  expect(readTiming(null)).toEqual([]);
});

describe('the statistics', () => {
  const stats = (requests: number, fast: number, slow: number): Stats => ({
    requests: {
      unanswered: 4,
      errors: { 'syntax-error': 3 },
      latency: { boundsMs: [10, 100], counts: [fast, slow, 0] },
    },
    batches: { batches: requests / 4, batched: requests, single: 5 },
    sources: [{ pool: { inUse: 2 } }, { pool: { inUse: 1, idle: 1 } }, { pool: {} }],
    caches: { plans: { hits: requests, misses: 0, entries: 7 } },
    plans: [],
  });
  const reading = (at: number, of: Stats) => ({ at, stats: of });

  test('show what happened between two readings', () => {
    const before = reading(1000, stats(100, 90, 10));
    const after = reading(3000, stats(300, 180, 120));
    expect(measure(before, after)).toMatchObject({
      requests: 100,
      failures: 0,
      batchSize: 4,
      batchedShare: 1,
      hitRate: 1,
      plans: 7,
      inUse: 3,
      idle: 1,
      waiting: 0,
      unanswered: 4,
    });
  });

  test('give the median and the 99th percentile of the time between', () => {
    const measured = measure(reading(0, stats(0, 0, 0)), reading(1000, stats(200, 180, 20)));
    expect(measured.median).toBeCloseTo((10 * 100) / 180, 5);
    expect(measured.p99).toBeCloseTo(10 + 90 * (18 / 20), 5);
  });

  test('have no latency and no rates if nothing happened, or the gateway was started again', () => {
    const nothing = { requests: 0, median: undefined, p99: undefined, hitRate: undefined };
    const before = reading(0, stats(100, 90, 10));
    expect(measure(before, { ...before, at: 1000 })).toMatchObject(nothing);
    expect(measure(before, reading(1000, stats(0, 0, 0)))).toMatchObject(nothing);
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
