import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aloneOutcomes, asksOf } from './alone-and-together.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { tables } from './batch-schema.js';
import { until } from '../../support/program.js';
import { startBatchWorker } from './batch-worker.js';

/** For what is learned in the background, in milliseconds. */
const WAIT = { timeout: 60_000, interval: 20 };

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`${tables}
    CREATE FUNCTION snooze(seconds float8) RETURNS bool LANGUAGE sql VOLATILE COST 100000
      AS 'SELECT pg_sleep(seconds) IS NOT NULL';
    CREATE VIEW sleepy AS SELECT id, seconds FROM (SELECT i AS id, i / 10.0 AS seconds
      FROM generate_series(0, 100) i) s WHERE snooze(seconds);
    CREATE TABLE folded (id int PRIMARY KEY, name text);
    CREATE TABLE changing (id int PRIMARY KEY, name text);`);
});
afterAll(() => fixture.stop());

const point = 'Items.filter(p=>p.id==id).map(p=>[p.id,p.code])';
const range = 'Items.filter(p=>p.id>=low&&p.id<high).sort(p=>p.id).map(p=>p.id)';
const points = Array.from({ length: 40 }, (_, index) => ({ id: index + 1 }));

test('arguments that are found to be invalid when the statement is built fail only their request', () =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Items.sort(p=>p.id).take(n).include(p=>p.parts)');
    const first = { plan, data: { n: 1 } };
    for (let round = 0; round < 10; round += 1) await worker.outcomes([first]);
    const [refused, answered] = await worker.outcomes([{ plan, data: { n: -1 } }, first]);
    expect(refused).toMatch(/^! /);
    expect(JSON.parse(answered ?? '')).toHaveLength(1);
  }));

describe('the row limit applies to each answer', () => {
  test.each([
    ['Items.filter(p=>p.id<n).map(p=>p.id)', 10],
    ['Items.filter(p=>p.id<n).sort(p=>p.id).include(p=>p.parts)', 30],
  ])('%s', (query, rowsMax) => {
    const data = [2, 3, 5, 9, 12, 40, 100, 3].map((n) => ({ n }));
    return fixture.withWorker({ rowsMax }, async (together) =>
      fixture.withWorker({ rowsMax, batching: 'off' }, async (apart) => {
        const expected = await aloneOutcomes(apart, query, data);
        expect(expected.some((outcome) => outcome.startsWith('! rows-over-limit'))).toBe(true);
        for (let round = 0; round < 5; round += 1) {
          expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
        }
      }),
    );
  });

  test('requests whose answers fit when alone run in smaller batches', () =>
    fixture.withWorker({ rowsMax: 100 }, async (worker) => {
      const plan = await worker.prepare(range);
      const asks = points.map(({ id }) => ({ plan, data: { low: id, high: id + 20 } }));
      await vi.waitFor(async () => {
        const before = worker.counters;
        const outcomes = await worker.outcomes(asks);
        expect(outcomes.every((text) => JSON.parse(text).length === 20)).toBe(true);
        expect(worker.counters.failed).toBe(before.failed);
        expect(worker.counters.batched - before.batched).toBeGreaterThan(10);
      }, WAIT);
    }));
});

test('a batch with too many rows to collect answers each request', () =>
  fixture.withWorker({}, async (worker) => {
    const plan = await worker.prepare('Items.filter(p=>p.id>low).sort(p=>p.id).map(p=>p.id)');
    const asks = Array.from({ length: 90 }, (_, low) => ({ plan, data: { low: -low } }));
    const outcomes = await worker.outcomes(asks);
    expect(outcomes.map((text) => JSON.parse(text).length)).toEqual(asks.map(() => 300));
    expect(worker.counters.failed).toBe(1);
    await worker.outcomes(asks);
    expect(worker.counters.failed).toBe(1);
    expect(worker.surplus).toBe(0);
  }));

test('batches with includes get small enough for the limit on root rows, and stay so', () =>
  fixture.withWorker({}, async (worker) => {
    const plan = await worker.prepare(
      'Items.filter(p=>p.id>=low&&p.id<high).sort(p=>p.id).include(p=>p.parts)',
    );
    const asks = Array.from({ length: 64 }, (_, low) => ({ plan, data: { low, high: low + 20 } }));
    // Repeated, because on a busy machine, a batch may take too long, and then there are none for a while.
    await vi.waitFor(async () => {
      const before = worker.counters;
      for (let round = 0; round < 20; round += 1) await worker.outcomes(asks);
      const { batched, failed } = worker.counters;
      expect(batched - before.batched).toBeGreaterThan(20 * asks.length - 2 * asks.length);
      expect(failed - before.failed).toBeLessThanOrEqual(1);
    }, WAIT);
  }));

test('a statement timeout of a batch does not fail its short requests', () =>
  fixture.withWorker({ statementTimeoutMs: 400 }, async (worker) => {
    const plan = await worker.prepare('Sleepy.filter(p=>p.id==id).map(p=>p.id)');
    const ids = [0, 1, 30, 0];
    const outcomes = await worker.outcomes(ids.map((id) => ({ plan, data: { id } })));
    expect(outcomes.filter((_, index) => index !== 2)).toEqual(
      [0, 1, 0].map((id) => `[{"id":${id}}]`),
    );
    expect(outcomes[2]).toMatch(/^! statement-timeout/);
  }));

test('a batch whose backend is killed still answers its requests', () =>
  fixture.withWorker({}, async (worker) => {
    const plan = await worker.prepare('Sleepy.filter(p=>p.id==id).map(p=>p.id)');
    await worker.outcomes([{ plan, data: { id: 0 } }]);
    const asked = worker.ask([1, 2, 1, 3].map((id) => ({ plan, data: { id } })));
    await untilActive();
    const killed = await fixture.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate' AND state = 'active'",
    );
    expect(killed.length).toBeGreaterThan(0);
    const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([1, 2, 1, 3].map((id) => `[{"id":${id}}]`));
  }));

test('requests do not notice that tables change under a prepared batch', () =>
  fixture.withWorker({ connectionsPerSource: 2 }, async (worker) => {
    await fixture.sql(
      "TRUNCATE changing; INSERT INTO changing SELECT i, 'n' || i % 3 FROM generate_series(1, 9) i",
    );
    const plan = await worker.prepare('Changing.filter(p=>p.name==n).sort(p=>p.id)');
    const asks = ['n1', 'n2', 'n0', 'n1 ', 'none'].map((n) => ({ plan, data: { n } }));
    const expectRows = async (counts: readonly number[]): Promise<void> => {
      for (let round = 0; round < 4; round += 1) {
        const outcomes = await worker.outcomes(asks);
        expect(outcomes.map((text) => JSON.parse(text).length)).toEqual(counts);
      }
    };
    await expectRows([3, 3, 3, 0, 0]);
    await fixture.sql('ALTER TABLE changing ALTER name TYPE char(5)');
    await expectRows([3, 3, 3, 3, 0]);
    await fixture.sql('ALTER TABLE changing ALTER name TYPE varchar(9)');
    await expectRows([3, 3, 3, 0, 0]);
    // The worker asks the database about the new type while requests run.
    const { batches } = worker.counters;
    await vi.waitFor(async () => {
      await expectRows([3, 3, 3, 0, 0]);
      expect(worker.counters.batches).toBeGreaterThan(batches);
    }, WAIT);
  }));

test('without prepared statements requests run alone', () =>
  fixture.withWorker({ preparedStatements: false }, async (worker) => {
    for (const query of [point, 'Items.filter(p=>p.id==id).include(p=>p.parts)']) {
      const asks = await asksOf(worker, query, points);
      for (let round = 0; round < 2; round += 1) {
        const outcomes = await worker.outcomes(asks);
        expect(outcomes.map((text) => JSON.parse(text)[0].id)).toEqual(points.map(({ id }) => id));
      }
    }
    expect(worker.counters.batches).toBe(0);
  }));

test('a plan with a missing table fails each request, and is batched when the table exists', () =>
  fixture.withWorker({}, async (worker) => {
    await fixture.sql('DROP TABLE IF EXISTS folded');
    const plan = await worker.prepare('Folded.filter(p=>p.id==id)');
    const asks = points.map((data) => ({ plan, data }));
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await worker.outcomes(asks);
      for (const outcome of outcomes) expect(outcome).toMatch(/^! schema-mismatch/);
    }
    await fixture.sql(
      "CREATE TABLE folded (id int PRIMARY KEY, name text); INSERT INTO folded VALUES (1, 'x')",
    );
    const outcomes = await worker.outcomes(asks);
    expect(outcomes.slice(0, 2)).toEqual(['[{"id":1,"name":"x"}]', '[]']);
    await until('requests are batched', async () => {
      await worker.outcomes(asks);
      return worker.counters.batches > 0;
    });
  }));

test('a statement that the database refuses for lists runs alone, without trying each time', () =>
  fixture.withWorker({}, async (worker) => {
    const plan = await worker.prepare('Items.map(p=>({s:sum(x)}))');
    const asks = [1, 2, 3, 4].map((x) => ({ plan, data: { x } }));
    for (let round = 0; round < 10; round += 1) {
      expect(await worker.outcomes(asks)).toEqual([300, 600, 900, 1200].map((s) => `[{"s":${s}}]`));
    }
    expect(worker.counters.failed).toBeLessThanOrEqual(3);
  }));

test('requests that are cancelled before the statement begins never reach the database', () =>
  fixture.withWorker({ connectionsPerSource: 1 }, async (worker) => {
    const slow = await worker.prepare('Sleepy.filter(p=>p.id==id).map(p=>p.id)');
    const plan = await worker.prepare(point);
    const held = worker.ask([{ plan: slow, data: { id: 5 } }]);
    const first = worker.ask([{ plan, data: { id: 1 } }]);
    const second = worker.ask([{ plan, data: { id: 2 } }]);
    const waiting = worker.ask(points.map((data) => ({ plan, data })));
    worker.cancel(...waiting.map(({ id }) => id));
    const late = worker.ask([{ plan, data: { id: 9 } }]);
    for (const { outcome } of waiting) expect(await outcome).toMatch(/^! cancelled/);
    for (const { outcome } of [...held, ...first, ...second, ...late]) {
      expect(await outcome).toMatch(/^\[\{"id":\d/);
    }
  }));

test('requests that are queued behind cancelled ones run', () =>
  fixture.withWorker({ rowsMax: 2 }, async (worker) => {
    const plan = await worker.prepare(range);
    const asks = points.map(({ id }) => ({ plan, data: { low: id, high: id + 1 } }));
    // Two rows per batch: the plan learns to take very few requests at a time.
    for (let round = 0; round < 5; round += 1) await worker.outcomes(asks);
    for (let round = 0; round < 20; round += 1) {
      const asked = worker.ask(asks);
      const last = asked.length - 1;
      worker.cancel(...asked.slice(round, last).map(({ id }) => id));
      expect(await asked[last]?.outcome).toBe('[{"id":40}]');
      await Promise.all(asked.map(({ outcome }) => outcome));
    }
    expect(worker.surplus).toBe(0);
  }));

test('each request learns at once that a source cannot be reached', async () => {
  const connection = { ...fixture.connection, database: 'nowhere' };
  const worker = startBatchWorker(connection);
  try {
    const asks = await asksOf(worker, point, points);
    const outcomes = await worker.outcomes(asks);
    expect(outcomes.every((outcome) => outcome.startsWith('! source-unavailable'))).toBe(true);
  } finally {
    await worker.close();
  }
});

/** Waits until the batch sleeps in the database. */
async function untilActive(): Promise<void> {
  for (;;) {
    const active = await fixture.sql(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate' AND state = 'active' AND query LIKE '%sleepy%'",
    );
    if (active.length > 0) return;
    await sleep(5);
  }
}
