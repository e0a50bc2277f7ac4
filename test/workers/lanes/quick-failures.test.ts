/** Short reads without a session, while tables are locked and changed, and backends are killed. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WrittenBatch } from '../../../src/workers/lanes/quick-batch.js';
import { withClient } from '../../support/embedded.js';
import { type LaneFixture, startLaneFixture } from './lane-fixture.js';
import type { LaneWorker } from './lane-worker.js';
import { type QuickWatch, watchQuickReads } from './quick-reads.js';

let fixture: LaneFixture;
let quick: QuickWatch;
beforeAll(async () => {
  quick = watchQuickReads(WrittenBatch);
  fixture = await startLaneFixture(`
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
    INSERT INTO parts SELECT i, i, 'part', i FROM generate_series(1, 400) i;
    CREATE TABLE makers (id int PRIMARY KEY, name text, country text);
    INSERT INTO makers SELECT i, 'maker', NULL FROM generate_series(1, 400) i;
    CREATE TABLE changing (id int PRIMARY KEY, name text);
    INSERT INTO changing SELECT i, 'n' FROM generate_series(1, 400) i;
    CREATE TABLE counter (id int PRIMARY KEY, value int);
    INSERT INTO counter VALUES (1, 0);`);
});
afterAll(async () => {
  quick.stop();
  await fixture.stop();
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const asksOf = (plan: number, count: number) => ids(count).map((data) => ({ plan, data }));
const answersOf = (count: number) => ids(count).map(({ id }) => `[{"id":${id}}]`);

async function warmPlan(worker: LaneWorker, entity: string): Promise<number> {
  const plan = await worker.prepare(`${entity}.filter(p=>p.id==id).map(p=>p.id)`);
  await quick.warm(worker, plan, ids(400));
  return plan;
}

/** Runs `work` while nobody else reads the table; `unlock` ends that. */
const whileLocked = (
  table: string,
  work: (unlock: () => Promise<pg.QueryResult>) => Promise<void>,
): Promise<void> =>
  withClient(fixture.connection, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work(() => client.query('COMMIT'));
  });

describe('while a table is locked', () => {
  test.each([
    [1, 1],
    [1, 20],
    [20, 1],
    [20, 20],
  ])('%i reads of it do not keep %i of another one', (locked, free) =>
    fixture.withWorker({}, async (worker) => {
      const [parts, makers] = [await warmPlan(worker, 'Parts'), await warmPlan(worker, 'Makers')];
      const tookMs: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        await whileLocked('parts', async (unlock) => {
          quick.forget();
          const held = worker.ask(asksOf(parts, locked));
          const startedAt = performance.now();
          const outcomes = await worker.outcomes(asksOf(makers, free));
          tookMs.push(performance.now() - startedAt);
          expect(outcomes).toEqual(answersOf(free));
          await unlock();
          expect(await Promise.all(held.map(({ outcome }) => outcome))).toEqual(answersOf(locked));
        });
      }
      // Far less than after what a batch that nobody waits for is given up.
      expect(Math.min(...tookMs)).toBeLessThan(300);
      expect(worker.surplus).toBe(0);
    }),
  );

  test('a read of it that is alone waits, however long', () =>
    fixture.withWorker({}, async (worker) => {
      const parts = await warmPlan(worker, 'Parts');
      await whileLocked('parts', async (unlock) => {
        const [held] = worker.ask(asksOf(parts, 1));
        const sentAt = performance.now();
        await expect.poll(() => performance.now() - sentAt, { timeout: 5000 }).toBeGreaterThan(800);
        await unlock();
        expect(await held?.outcome).toBe('[{"id":1}]');
      });
    }));

  test('a read of it that is cancelled ends, and another one behind it is answered', () =>
    fixture.withWorker({ connectionsPerSource: 1 }, async (worker) => {
      const [parts, makers] = [await warmPlan(worker, 'Parts'), await warmPlan(worker, 'Makers')];
      await whileLocked('parts', async (unlock) => {
        const [held] = worker.ask(asksOf(parts, 1));
        const others = worker.ask(asksOf(makers, 1));
        worker.cancel(held?.id ?? 0);
        expect(await held?.outcome).toMatch(/^! cancelled/);
        expect(await others[0]?.outcome).toBe('[{"id":1}]');
        await unlock();
      });
    }));

  test('the time limit of a read of it is none of others', () =>
    fixture.withWorker({ connectionsPerSource: 1, statementTimeoutMs: 300 }, async (worker) => {
      const [parts, makers] = [await warmPlan(worker, 'Parts'), await warmPlan(worker, 'Makers')];
      await whileLocked('parts', async (unlock) => {
        const held = worker.ask(asksOf(parts, 1));
        expect(await worker.outcomes(asksOf(makers, 1))).toEqual(answersOf(1));
        expect(await held[0]?.outcome).toMatch(/^! statement-timeout/);
        await unlock();
      });
      expect(await worker.outcomes(asksOf(parts, 20))).toEqual(answersOf(20));
    }));
});

/** Asks without a pause, in batches and alone, until `work` is done; `check` sees each outcome. */
async function underLoad(
  worker: LaneWorker,
  plans: readonly number[],
  check: (outcome: string, id: number) => void,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const keepAsking = async (plan: number, count: number): Promise<void> => {
    while (!isOver) {
      const outcomes = await worker.outcomes(asksOf(plan, count));
      for (const [index, outcome] of outcomes.entries()) check(outcome, index + 1);
    }
  };
  const asking = plans.flatMap((plan) => [
    keepAsking(plan, 1),
    keepAsking(plan, 30),
    keepAsking(plan, 200),
  ]);
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(asking);
  expect(worker.surplus).toBe(0);
}

const expectRight = (outcome: string, id: number): void => expect(outcome).toBe(`[{"id":${id}}]`);

describe('under load', () => {
  test('tables that change are not seen by those who ask', () =>
    fixture.withWorker({}, async (worker) => {
      const plans = [await warmPlan(worker, 'Changing'), await warmPlan(worker, 'Makers')];
      await underLoad(worker, plans, expectRight, async () => {
        for (const type of ['bigint', 'int', 'smallint', 'int', 'bigint', 'int']) {
          await fixture.sql(`ALTER TABLE changing ALTER id TYPE ${type}`);
          await fixture.sql('ALTER TABLE changing ADD extra int, ALTER name TYPE text');
          await fixture.sql('ALTER TABLE changing DROP extra');
        }
      });
      const { batches } = worker.counters;
      await warmPlan(worker, 'Changing');
      expect(worker.counters.batches).toBeGreaterThan(batches);
    }));

  test('a backend that is killed costs at most what ran on it alone', () =>
    fixture.withWorker({}, async (worker) => {
      const plans = [await warmPlan(worker, 'Parts'), await warmPlan(worker, 'Makers')];
      let lost = 0;
      const check = (outcome: string, id: number): void => {
        if (outcome.startsWith('! source-unavailable')) lost += 1;
        else expectRight(outcome, id);
      };
      let killed = 0;
      await underLoad(worker, plans, check, async () => {
        for (let round = 0; round < 20; round += 1) {
          const backends = await fixture.sql(`SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity WHERE application_name = 'rowgate'`);
          killed += backends.length;
        }
      });
      expect(killed).toBeGreaterThan(10);
      expect(lost).toBeLessThanOrEqual(killed * 2);
      for (const plan of plans)
        expect(await worker.outcomes(asksOf(plan, 50))).toEqual(answersOf(50));
    }));

  test.each([1, 2])('%i connections serve other plans and writes, too', (connectionsPerSource) =>
    fixture.withWorker({ connectionsPerSource }, async (worker) => {
      const plans = [await warmPlan(worker, 'Parts'), await warmPlan(worker, 'Makers')];
      const rare = await worker.prepare('Changing.filter(p=>p.id==id).map(p=>p.id)');
      const many = await worker.prepare('Parts.sort(p=>p.id).map(p=>p.id)');
      const write = await worker.prepare('Counter.update()');
      await underLoad(worker, plans, expectRight, async () => {
        for (let value = 1; value <= 10; value += 1) {
          expect(await worker.outcomes(asksOf(rare, 2))).toEqual(answersOf(2));
          const [rows = ''] = await worker.outcomes([{ plan: many }]);
          expect(JSON.parse(rows)).toHaveLength(400);
          const [written] = await worker.outcomes([{ plan: write, data: { id: 1, value } }]);
          expect(written).not.toMatch(/^!/);
          expect(await fixture.sql('SELECT value FROM counter')).toEqual([{ value }]);
        }
      });
    }),
  );
});
