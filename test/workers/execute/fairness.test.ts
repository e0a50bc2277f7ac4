import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { type Asked, type BatchWorker, startBatchWorker } from './batch-worker.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE FUNCTION snooze(seconds float8) RETURNS bool LANGUAGE sql VOLATILE COST 100000
      AS 'SELECT pg_sleep(seconds) IS NOT NULL';
    CREATE VIEW sleepy AS SELECT id, seconds FROM (SELECT i AS id, i / 10.0 AS seconds
      FROM generate_series(0, 100) i) s WHERE snooze(seconds);
    CREATE VIEW drowsy AS SELECT id, seconds FROM (SELECT i AS id, i / 10.0 AS seconds
      FROM generate_series(0, 100) i) s WHERE pg_sleep(seconds) IS NOT NULL;
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
    INSERT INTO parts SELECT i, i, 'part', i FROM generate_series(1, 1000) i;
    CREATE TABLE heavy (id int PRIMARY KEY, body text);
    ALTER TABLE heavy ALTER body SET STORAGE external;
    INSERT INTO heavy SELECT i, repeat(chr(64 + i % 26), CASE WHEN i <= 64 THEN 1000000 ELSE 10 END)
      FROM generate_series(1, 200) i;`);
});
afterAll(() => fixture.stop());

const sleepy = 'Sleepy.filter(p=>p.id==id).map(p=>p.id)';
const point = 'Parts.filter(p=>p.id==id).map(p=>p.id)';

const asksOf = (plan: number, ids: readonly number[]) => ids.map((id) => ({ plan, data: { id } }));

/** Checks the answers, and returns how long the last one took. */
async function timeOf(asked: readonly Asked[], ids: readonly number[]): Promise<number> {
  const startedAt = performance.now();
  const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
  expect(outcomes).toEqual(ids.map((id) => `[{"id":${id}}]`));
  return performance.now() - startedAt;
}

const ask = (worker: BatchWorker, plan: number, ids: readonly number[]): Promise<number> =>
  timeOf(worker.ask(asksOf(plan, ids)), ids);

describe('long statements', () => {
  test('of a known plan run side by side', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 8 }, async (worker) => {
      const plan = await worker.prepare(sleepy);
      await ask(worker, plan, [3]);
      expect(await ask(worker, plan, [3, 4, 5, 3, 4, 5, 3, 4])).toBeLessThan(2500);
    }));

  test('of a new plan do not accumulate', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 8 }, async (worker) => {
      const plan = await worker.prepare(sleepy);
      expect(await ask(worker, plan, [10, 11, 12, 13, 14, 15, 16, 17])).toBeLessThan(8000);
    }));

  test('do not delay later requests', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 8 }, async (worker) => {
      const plan = await worker.prepare(sleepy);
      for (let round = 0; round < 30; round += 1) await ask(worker, plan, [0]);
      const long = worker.ask(asksOf(plan, [50]));
      await sleep(1);
      const more = worker.ask(asksOf(plan, [51]));
      for (let round = 0; round < 20; round += 1) {
        expect(await ask(worker, plan, [0, 0, 0])).toBeLessThan(4000);
      }
      await timeOf([...long, ...more], [50, 51]);
    }));

  test('run one at a time while short ones are answered, and all at once when there are none', () => {
    const changes = { batching: 'measured', connectionsPerSource: 8, longReadsMax: 1 } as const;
    return fixture.withWorker(changes, async (worker) => {
      const [long, short] = [await worker.prepare(sleepy), await worker.prepare(point)];
      const ids = [6, 6, 6, 6, 6];
      await ask(worker, long, [6]);
      let isOver = false;
      const answerShort = async (): Promise<void> => {
        while (!isOver) {
          await ask(worker, short, [1, 2]);
          await sleep(20);
        }
      };
      for (let round = 0; round < 5; round += 1) await ask(worker, short, [1, 2]);
      const shorts = answerShort();
      const beside = await ask(worker, long, ids);
      isOver = true;
      await shorts;
      // One after another, they take 3 s, of which little may overlap.
      expect(beside).toBeGreaterThan(2400);
      await sleep(500);
      expect(await ask(worker, long, ids)).toBeLessThan(2400);
    });
  });

  test('do not delay the others of their batch', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 8 }, async (worker) => {
      const plan = await worker.prepare(sleepy);
      for (let round = 0; round < 30; round += 1) await ask(worker, plan, [0, 0]);
      const ids = [0, 1, 100, 0, 2];
      const asked = worker.ask(asksOf(plan, ids));
      const short = asked.filter((_, index) => index !== 2);
      expect(await timeOf(short, [0, 1, 0, 2])).toBeLessThan(8000);
      worker.cancel(...asked.map(({ id }) => id));
      expect(await asked[2]?.outcome).toMatch(/^! cancelled/);
    }));
});

// For a list of keys of unknown length, the planner runs the view's sleep before it checks the
// keys.
test('a plan whose batches are much slower than its requests runs them alone', () =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Drowsy.filter(p=>p.id==id).map(p=>p.id)');
    await ask(worker, plan, [0]);
    for (let round = 0; worker.counters.failed === 0 && round < 300; round += 1) {
      await ask(worker, plan, [0, 0]);
    }
    const before = worker.counters;
    for (let round = 0; round < 20; round += 1) {
      expect(await ask(worker, plan, [0, 0, 0])).toBeLessThan(10_000);
    }
    expect(before.failed).toBeLessThan(2);
    expect(worker.counters.failed).toBe(before.failed);
  }));

describe('a hot plan', () => {
  test('of long statements that hold every connection leaves room for a rare one', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 2 }, async (worker) => {
      const [hot, rare] = [await worker.prepare(sleepy), await worker.prepare(point)];
      await ask(worker, hot, [1]);
      const long = Array.from({ length: 120 }, () => 1);
      const asked = worker.ask(asksOf(hot, long));
      for (let id = 1; id <= 3; id += 1) expect(await ask(worker, rare, [id])).toBeLessThan(2500);
      await timeOf(asked, long);
    }));

  test('of short statements leaves room for a rare one', () =>
    fixture.withWorker({ batching: 'measured', connectionsPerSource: 1 }, async (worker) => {
      const hot = await worker.prepare(point);
      const rare = await worker.prepare('Parts.filter(p=>p.quantity==id).map(p=>p.id)');
      let isOver = false;
      const keepAsking = async (): Promise<void> => {
        const ids = Array.from({ length: 200 }, (_, index) => index + 1);
        while (!isOver) await ask(worker, hot, ids);
      };
      const asking = Promise.all([keepAsking(), keepAsking(), keepAsking()]);
      for (let id = 1; id <= 20; id += 1) {
        expect(await ask(worker, rare, [id])).toBeLessThan(20_000);
      }
      isOver = true;
      await asking;
    }));
});

test('large answers are not kept in memory at the same time', () =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Heavy.filter(p=>p.id==id)');
    const large = Array.from({ length: 64 }, (_, index) => index + 1);
    const outcomes = await worker.outcomes(asksOf(plan, large));
    expect(outcomes.map((text) => text.length)).toEqual(
      large.map((id) => `{"id":${id},"body":""}`.length + 2 + 1_000_000),
    );
    expect(worker.counters.batched).toBe(0);
    // Small requests are batched again after some time.
    const small = Array.from({ length: 64 }, (_, index) => 100 + index);
    const until = performance.now() + 20_000;
    while (worker.counters.batched <= 100 && performance.now() < until) {
      await worker.outcomes(asksOf(plan, small));
    }
    expect(worker.counters.batched).toBeGreaterThan(100);
    expect(worker.counters.failed).toBeLessThan(2);
  }));

test('a plan that was short meets a large answer, and is batched again after some time', () =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Heavy.filter(p=>p.id==id)');
    const small = Array.from({ length: 64 }, (_, index) => 100 + index);
    const askUntilBatched = async (): Promise<void> => {
      const before = worker.counters.batched;
      const until = performance.now() + 20_000;
      while (worker.counters.batched <= before + 100 && performance.now() < until) {
        await worker.outcomes(asksOf(plan, small));
      }
      expect(worker.counters.batched).toBeGreaterThan(before + 100);
    };
    await askUntilBatched();
    const [large] = await worker.outcomes(asksOf(plan, [1]));
    expect(large?.length).toBe('{"id":1,"body":""}'.length + 2 + 1_000_000);
    await askUntilBatched();
    expect(worker.counters.failed).toBeLessThan(2);
  }));

test('a worker that closes answers the waiting requests, and leaves no timer behind', async () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  const worker = startBatchWorker(fixture.connection, { connectionsPerSource: 1 });
  const plans = [await worker.prepare(sleepy), await worker.prepare(point)];
  const asked = plans.map((plan) => worker.ask(asksOf(plan, [1, 2, 1])));
  const more = plans.map((plan) => worker.ask(asksOf(plan, [2, 1, 2])));
  await worker.close();
  for (const each of asked) await timeOf(each, [1, 2, 1]);
  for (const each of more) await timeOf(each, [2, 1, 2]);
  expect(timers()).toBeLessThanOrEqual(before);
});
