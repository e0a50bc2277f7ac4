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
  });
  afterAll(() => fixture.stop());

  it('one import stores each entity in its source', async () => {
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
