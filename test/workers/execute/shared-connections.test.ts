import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../support/embedded.js';
import { until } from '../../support/program.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import type { Ask, Asked } from './batch-worker.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(`
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
    INSERT INTO parts VALUES (1, 1, 'one', 1);
    CREATE TABLE makers (id int PRIMARY KEY, name text, country text);
    INSERT INTO makers VALUES (1, 'one', 'PE');`);
});
afterAll(() => fixture.stop());

const settings = { batching: 'measured', connectionsPerSource: 4 } as const;
const part = 'Parts.filter(p=>p.id==id).map(p=>p.id)';
const maker = 'Makers.filter(p=>p.id==id).map(p=>p.id)';
const data = { id: 1 };

async function waiting(): Promise<number> {
  const rows = await fixture.sql(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'rowgate' AND wait_event_type = 'Lock'`);
  return rows.length;
}

/** Runs `work` while the table of parts is locked against all other readers. */
const whileLocked = (work: () => Promise<void>): Promise<void> =>
  withClient(fixture.connection, async (holder) => {
    await holder.query('BEGIN; LOCK TABLE parts IN ACCESS EXCLUSIVE MODE');
    await work();
    await holder.query('ROLLBACK');
  });

test('a cancelled short read is stopped when it turns out to be long', () =>
  fixture.withWorker(settings, async (worker) => {
    const plan = await worker.prepare(part);
    for (let i = 0; i < 10; i += 1) await worker.outcomes([{ plan, data }]);
    await whileLocked(async () => {
      const [asked] = worker.ask([{ plan, data }]);
      // Cancelled in the next message, before the request is known to be long.
      worker.cancel(asked?.id ?? 0);
      expect(await asked?.outcome).toMatch(/^! cancelled/);
      await until('it is stopped', async () => (await waiting()) === 0);
    });
    expect(await worker.outcomes([{ plan, data }])).toEqual(['[{"id":1}]']);
  }));

test('reads queued behind a long one run on other connections', () =>
  fixture.withWorker(settings, async (worker) => {
    const plans = [await worker.prepare(part), await worker.prepare(maker)];
    const asks = plans.map((plan) => ({ plan, data }));
    for (let i = 0; i < 10; i += 1) await worker.outcomes(asks);
    let late: Promise<string> | undefined;
    await whileLocked(async () => {
      const [long, short] = worker.ask(asks);
      late = long?.outcome;
      expect(await short?.outcome).toBe('[{"id":1}]');
      expect(await waiting()).toBe(1);
    });
    expect(await late).toBe('[{"id":1}]');
    expect(worker.surplus).toBe(0);
  }));

test('a read with many rows does not wait for a long one that was sent together with it', () =>
  fixture.withWorker(settings, async (worker) => {
    const plans = [await worker.prepare('Makers.filter(p=>p.id>=id)'), await worker.prepare(part)];
    const asks = plans.map((plan) => ({ plan, data }));
    // The rows are larger than the database's buffer, which holds back the end of the answer.
    await fixture.sql(
      `INSERT INTO makers SELECT i, repeat('x', 300), 'PE' FROM generate_series(2, 40) i`,
    );
    for (let i = 0; i < 10; i += 1) await worker.outcomes(asks);
    let late: Promise<string> | undefined;
    await whileLocked(async () => {
      const [many, long] = worker.ask(asks);
      late = long?.outcome;
      expect(JSON.parse((await many?.outcome) ?? '')).toHaveLength(40);
      expect(await waiting()).toBe(1);
    });
    expect(await late).toBe('[{"id":1}]');
    await fixture.sql('DELETE FROM makers WHERE id > 1');
  }));

test('stopping what was left behind a long read stops nothing that its connection runs next', () =>
  fixture.withWorker(settings, async (worker) => {
    const others = { plan: await worker.prepare(maker), data };
    // Many plans, so that many statements are queued one behind another.
    const asks: Ask[] = [];
    for (let i = 0; i < 40; i += 1) {
      const plan = await worker.prepare(`Parts.filter(p=>p.id==id).map(p=>({k${i}:p.id}))`);
      asks.push({ plan, data });
    }
    for (let i = 0; i < 10; i += 1) await worker.outcomes([...asks, others]);
    let isOver = false;
    const wrong: string[] = [];
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const [outcome = ''] = await worker.outcomes([others]);
        if (outcome !== '[{"id":1}]') wrong.push(outcome);
      }
    };
    const asking = Array.from({ length: 8 }, ask);
    for (let round = 0; round < 20; round += 1) {
      let asked: readonly Asked[] = [];
      await whileLocked(async () => {
        asked = worker.ask(asks);
        await until('they wait', async () => (await waiting()) > 1);
      });
      for (const [index, { outcome }] of asked.entries()) {
        expect(await outcome).toBe(`[{"k${index}":1}]`);
      }
    }
    isOver = true;
    await Promise.all(asking);
    expect(wrong).toEqual([]);
  }));

test('a read that waits for long on the last shared connection ends at its limit', () =>
  fixture.withWorker({ ...settings, statementTimeoutMs: 600 }, async (worker) => {
    const plan = await worker.prepare(part);
    for (let i = 0; i < 10; i += 1) await worker.outcomes([{ plan, data }]);
    // Reads of new plans take all other connections, one after another.
    const others: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      others.push(await worker.prepare(`Parts.filter(p=>p.id==id).map(p=>({w${i}:p.id}))`));
    }
    let late: readonly Asked[] = [];
    await whileLocked(async () => {
      late = worker.ask(others.map((other) => ({ plan: other, data })));
      await until('they wait', async () => (await waiting()) >= 3);
      const begin = performance.now();
      const [asked] = worker.ask([{ plan, data }]);
      expect(await asked?.outcome).toMatch(/^! (statement|queue)-timeout/);
      // The other requests need twice as long.
      expect(performance.now() - begin).toBeLessThan(6000);
    });
    await Promise.all(late.map(({ outcome }) => outcome));
    expect(await worker.outcomes([{ plan, data }])).toEqual(['[{"id":1}]']);
  }));

test('a new read runs while new reads of another table wait for a lock', () =>
  fixture.withWorker({ ...settings, connectionsPerSource: 8 }, async (worker) => {
    const known = { plan: await worker.prepare(maker), data };
    for (let i = 0; i < 10; i += 1) await worker.outcomes([known]);
    const blocked: Ask[] = [];
    for (let i = 0; i < 3; i += 1) {
      const plan = await worker.prepare(`Parts.filter(p=>p.id==id).map(p=>({b${i}:p.id}))`);
      blocked.push({ plan, data });
    }
    const fresh = await worker.prepare('Makers.filter(p=>p.id==id).map(p=>({fresh:p.id}))');
    let late: readonly Asked[] = [];
    await whileLocked(async () => {
      let isOver = false;
      const asking = (async () => {
        while (!isOver) await worker.outcomes([known]);
      })();
      late = worker.ask(blocked);
      await until('they wait', async () => (await waiting()) > 0);
      const begin = performance.now();
      expect(await worker.outcomes([{ plan: fresh, data }])).toEqual(['[{"fresh":1}]']);
      expect(performance.now() - begin).toBeLessThan(6000);
      isOver = true;
      await asking;
    });
    const outcomes = await Promise.all(late.map(({ outcome }) => outcome));
    expect(outcomes).toEqual([0, 1, 2].map((i) => `[{"b${i}":1}]`));
  }));
