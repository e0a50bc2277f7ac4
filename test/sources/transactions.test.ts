/** Transactions in a stage with several sources. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../support/program.js';
import { type SourcesFixture, startSourcesFixture } from './sources-fixture.js';

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
});
