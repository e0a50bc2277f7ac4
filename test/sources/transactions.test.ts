/** Transactions in a stage with several sources. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../support/program.js';
import { useWorker } from '../workers/test-worker.js';
import { type SourcesFixture, startSourcesFixture } from './sources-fixture.js';
import { twoSourcesDocument } from './two-sources.js';

let fixture: SourcesFixture;
beforeAll(async () => {
  fixture = await startSourcesFixture();
});
afterAll(() => fixture.stop());

describe('a transaction', () => {
  const steps = (...queries: readonly string[]) => queries.map((query) => ({ query }));

  it.each([
    steps('Products.first()', 'Orders.first()'),
    steps('Orders.first().include(p=>p.details.include(d=>d.product))'),
  ])('is refused if its steps use several sources', async (...refused) => {
    const answer = await post(fixture.program, '/transaction', refused);
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'unsupported',
      detail: "A transaction runs on one source, but its steps use several: 'Catalog', 'Crm'.",
    });
  });

  it('runs on the stage that its options name', async () => {
    const body = {
      steps: steps(
        'Products.map(p=>[p.id]).sort(p=>p.id).take(1)',
        'Orders.map(p=>[p.id]).sort(p=>p.id).take(1)',
      ),
      options: { stage: 'copies' },
    };
    const answer = await post(fixture.program, '/transaction', body);
    expect(answer.json()).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  });

  describe('of one query names the reason why it needs one source', () => {
    it('an idempotency key', async () => {
      const query = 'Categories.insert().include(p=>p.products.include(q=>q.orderDetails))';
      const write = { query, data: { name: 'Keyed' } };
      const answer = await post(fixture.program, '/execute', write, { 'idempotency-key': 'k' });
      expect(answer.json()).toMatchObject({
        status: 400,
        code: 'unsupported',
        detail:
          "A query with an idempotency key runs on one source, but it uses several: 'Catalog', 'Crm'.",
      });
    });

    it('limits', async () => {
      const none = 'postgresql://127.0.0.1:1/none';
      const sources = {
        catalog: none,
        catalogDialect: 'PostgreSQL',
        crm: none,
        copy: none,
      } as const;
      await useWorker(twoSourcesDocument(sources), {}, async (gateway) => {
        const steps = [['Orders.include(p=>p.details.include(d=>d.product))']] as const;
        await expect(gateway.transact(steps, { isSingle: true })).rejects.toThrow(
          "A query with settings or limits of its key or token runs on one source, but it uses several: 'Catalog', 'Crm'.",
        );
      });
    });
  });
});
