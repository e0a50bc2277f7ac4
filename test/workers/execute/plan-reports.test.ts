import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/program.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { tables } from './batch-schema.js';

let fixture: BatchFixture;
beforeAll(async () => {
  fixture = await startBatchFixture(tables);
});
afterAll(() => fixture.stop());

test('the first measurement of a plan is reported, whatever it is', () =>
  fixture.withWorker({ batching: 'off' }, async (worker) => {
    const plan = await worker.prepare('Items.map(p=>({n: count(1)}))');
    await worker.outcomes([{ plan, data: {} }]);
    await until('it is reported', async () => worker.shortPlans.has(plan));
  }));

test.each([
  'Items.filter(p=>p.id==id).include(p=>p.parts)',
  'Items.filter(p=>p.id==id).map(p=>p.title)',
])('a plan is reported to be short if only its batches were measured: %s', (expression) =>
  fixture.withWorker({ batching: 'always' }, async (worker) => {
    const plan = await worker.prepare(expression);
    // Two, because one that is left over from a larger batch runs by itself.
    const asks = [1, 2].map((id) => ({ plan, data: { id } }));
    await until('it is reported', async () => {
      await worker.outcomes(asks);
      return worker.shortPlans.get(plan) === true;
    });
    expect(worker.counters.single).toBe(0);
  }),
);

test.each([
  ['with a comment', 'Items.filter(p=>p.id==id)', { data: { id: 1 }, comment: '/*of a trace*/' }],
  [
    'of pages with includes',
    'Items.include(p=>p.parts).sort(p=>p.id).after(cursor).take(2)',
    { data: { cursor: null } },
  ],
])('a plan that nothing measures is reported as not short: %s', (_, expression, how) =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare(expression);
    await worker.outcomes([{ plan, ...how }]);
    expect(worker.shortPlans.get(plan)).toBe(false);
  }),
);

test('a comment does not make a plan long that was measured to be short', () =>
  fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Items.filter(p=>p.id==id).map(p=>p.title)');
    await until('it is short', async () => {
      await worker.outcomes([{ plan, data: { id: 1 } }]);
      return worker.shortPlans.get(plan) === true;
    });
    await worker.outcomes([{ plan, data: { id: 1 }, comment: '/*of a trace*/' }]);
    expect(worker.shortPlans.get(plan)).toBe(true);
  }));

test('a plan is reported as not short if only its variants run, and one of them is long', async () => {
  await fixture.sql(
    'CREATE OR REPLACE VIEW dear AS SELECT id, code, amount FROM items, pg_sleep(0.05) WHERE amount > 20',
  );
  await fixture.withWorker({ batching: 'measured' }, async (worker) => {
    const plan = await worker.prepare('Dear.filter(p=>p.id>id).map(p=>({n: count(1)}))');
    await until('it is reported', async () => {
      await worker.outcomes([{ plan, data: { id: 1.5 } }]);
      return worker.shortPlans.get(plan) === false;
    });
  });
});
