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
