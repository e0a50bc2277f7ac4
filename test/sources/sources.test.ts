import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/program.js';
import { type SourcesFixture, startSourcesFixture } from './sources-fixture.js';
import { sourcesSuite } from './sources-suite.js';

describe('two sources of PostgreSQL', () => {
  sourcesSuite('PostgreSQL', () => startSourcesFixture());
});

describe('import and export of two sources', () => {
  let fixture: SourcesFixture;
  beforeAll(async () => {
    fixture = await startSourcesFixture();
  }, 120_000);
  afterAll(() => fixture.stop());

  it('is filled by one import, each entity where it lives', async () => {
    expect(fixture.imported?.status).toBe(200);
    for (const [source, table] of [
      ['catalog', 'Products'] as const,
      ['crm', '"Order Details"'] as const,
    ]) {
      expect(await fixture.count(source, table)).toBe(await fixture.count('copy', table));
    }
    const tables = "SELECT to_regclass('products') AS p, to_regclass('orders') AS o";
    expect(await fixture.sql('crm', tables)).toEqual([{ p: null, o: 'orders' }]);
    expect(await fixture.sql('catalog', tables)).toEqual([{ p: 'products', o: null }]);
  });

  it('exports what was imported', async () => {
    const [one, other] = await Promise.all(
      ['default', 'copies'].map((stage) => ask(fixture.program, `/stages/${stage}/export`)),
    );
    const sorted = (text = '') =>
      JSON.parse(text)
        .entities.map((each: unknown) => JSON.stringify(each))
        .sort();
    expect(sorted(one?.text).join() === sorted(other?.text).join()).toBe(true);
  });
});

describe('a transaction', () => {
  const steps = (...queries: readonly string[]) => queries.map((query) => ({ query }));

  it.each([
    steps('Products.first()', 'Orders.first()'),
    steps('Orders.first().include(p=>p.details.include(d=>d.product))'),
  ])('is refused when its steps are of several sources', async (...refused) => {
    const answer = await post(fixture.program, '/transaction', refused);
    expect(answer.json()).toMatchObject({
      status: 400,
      code: 'unsupported',
      detail: "A transaction runs on one source, and its steps name several: 'Catalog', 'Crm'.",
    });
  });

  it('runs under the stage that its options name', async () => {
    const body = {
      steps: steps(
        'Products.map(p=>[p.id]).sort(p=>p.id).take(1)',
        'Orders.map(p=>[p.id]).sort(p=>p.id).take(1)',
      ),
      options: inOneSource,
    };
    const answer = await post(fixture.program, '/transaction', body);
    expect(answer.json()).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  });
});
