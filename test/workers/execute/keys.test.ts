import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aloneOutcomes, asksOf } from './alone-and-together.js';
import { type BatchFixture, startBatchFixture } from './batch-fixture.js';
import { looseTables } from './batch-schema.js';
import { type BatchWorker, startBatchWorker } from './batch-worker.js';

let fixture: BatchFixture;
let together: BatchWorker;
let apart: BatchWorker;
beforeAll(async () => {
  fixture = await startBatchFixture(looseTables);
  together = startBatchWorker(fixture.connection);
  apart = startBatchWorker(fixture.connection, { batching: 'off' });
});
afterAll(async () => {
  await Promise.all([together.close(), apart.close()]);
  await fixture.stop();
});

/** A query with the parameter `k`, the keys of its batch, and what is unusual about them. */
interface KeyCase {
  readonly comment: string;
  readonly query: string;
  readonly keys: readonly (string | number)[];
}

const cases: readonly KeyCase[] = [
  {
    comment: 'numeric declared integer: 1 is 1.00',
    query: 'Loose.filter(p=>p.id==k)',
    keys: [1, '+1', '001', 2, 200, 201, -1, '999999999999999999'],
  },
  {
    comment: 'char(n): blanks at the end do not count',
    query: 'Loose.filter(p=>p.bits==k).sort(p=>p.id).map(p=>[p.id,p.bits])',
    keys: ['b1', 'b1    ', 'b1 ', ' b1', 'b4', 'b5', ''],
  },
  {
    comment: 'uuid: case and dashes do not count',
    query: 'Loose.filter(p=>p.ref==k).sort(p=>p.id).map(p=>p.ref)',
    keys: [
      'c4ca4238-a0b9-2382-0dcc-509a6f75849b',
      'C4CA4238-A0B9-2382-0DCC-509A6F75849B',
      'c4ca4238a0b923820dcc509a6f75849b',
      'cfcd2084-95d5-65ef-66e7-dff9f98764da',
    ],
  },
  {
    comment: 'date declared string',
    query: 'Loose.filter(p=>p.day==k).sort(p=>p.id).map(p=>[p.id,p.day])',
    keys: ['2024-01-01', '20240101', 'January 1, 2024', '2024-01-09', '2024-01-10'],
  },
  {
    comment: 'integer declared string: blanks and zeros at the start do not count',
    query: 'Loose.filter(p=>p.number==k).sort(p=>p.id).map(p=>[p.id,p.number])',
    keys: ['7', '007', '+7', '-0', '0', '10', '11'],
  },
  {
    comment: 'texts that look like numbers',
    query: 'Loose.filter(p=>p.text==k).sort(p=>p.id).map(p=>[p.id,p.text])',
    keys: ['7', '007', '+7', ' 7', '-0', '0', '', 'null'],
  },
  {
    comment: 'smallint',
    query: 'Loose.filter(p=>p.short==k).sort(p=>p.id).map(p=>[p.id,p.short])',
    keys: [3, '+3', '-0', 0, -2, '-02', 4],
  },
  {
    comment: 'bigint',
    query: 'Loose.filter(p=>p.long==k).sort(p=>p.id).map(p=>[p.id,p.long])',
    keys: ['9223372036854775807', '+9223372036854775806', '09223372036854775805', 1, 0],
  },
  {
    comment: 'real declared integer',
    query: 'Loose.filter(p=>p.real==k).sort(p=>p.id).map(p=>[p.id,p.real])',
    keys: [1, 0, '-0', '+1', 2, 16_777_217],
  },
  {
    comment: 'varchar',
    query: 'Loose.filter(p=>p.kind==k).sort(p=>p.id).map(p=>[p.id,p.kind])',
    keys: ['k0', 'k0 ', 'K0', 'k2', 'a text that is longer than the column'],
  },
  {
    comment: 'a view',
    query: 'Seen.filter(p=>p.number==k).sort(p=>[p.long,p.text]).map(p=>[p.number,p.text,p.long])',
    keys: [7, '007', 3, 0, 99],
  },
  {
    comment: 'a partitioned table by its partition key',
    query: 'Measured.filter(p=>p.region==k).sort(p=>p.id)',
    keys: ['north', 'North', 'Ñorth', 'Ñorth', 'south', ''],
  },
  {
    comment: 'a partitioned table by its other key',
    query: 'Measured.filter(p=>p.id==k)',
    keys: [1, 2, 400, 401],
  },
];

const failing: readonly KeyCase[] = [
  {
    comment: 'no integer',
    query: 'Loose.filter(p=>p.number==k).sort(p=>p.id)',
    keys: ['7', '', '0'],
  },
  {
    comment: 'a number with a character that the database does not treat as a blank',
    query: 'Loose.filter(p=>p.number==k).sort(p=>p.id)',
    keys: ['7', '\u00a07', '0', 'x'],
  },
  { comment: 'no date', query: 'Loose.filter(p=>p.day==k)', keys: ['2024-01-01', 'x', ''] },
  { comment: 'no uuid', query: 'Loose.filter(p=>p.ref==k)', keys: ['x', 'cfcd2084'] },
];

/** Keys that are too large for the column, or not integers: they are compared anyway. */
const wide: readonly KeyCase[] = ['short', 'long', 'real', 'id'].map((name) => ({
  comment: `a number that is too wide for '${name}'`,
  query: `Loose.filter(p=>p.${name}==k).sort(p=>p.id).map(p=>p.id)`,
  keys: [3, 40_000, -40_000, 3_000_000_000, '99999999999999999999', 0.25, '2.0'],
}));

describe('keys are equal in a batch exactly as they are alone', () => {
  test.each(cases)('$comment', async (each) => {
    const before = together.counters.batched;
    await expectSame(each);
    expect(together.counters.batched - before).toBeGreaterThanOrEqual(each.keys.length);
  });

  test.each(failing)('a key that is $comment fails alone', (each) => expectSame(each));

  test.each(wide)('$comment', async (each) => {
    await expectSame(each);
    const data = each.keys.map((k) => ({ k }));
    expect((await aloneOutcomes(apart, each.query, data)).join()).not.toContain('!');
  });
});

describe('a bitmap scan', () => {
  test.each([
    'Wide.filter(p=>p.key==k).map(p=>[p.id,p.key])',
    'Wide.filter(p=>p.name==n).map(p=>[p.id,p.name])',
    'Wide.filter(p=>p.key==k&&p.id>100).map(p=>[p.id,p.key])',
  ])('that returns interleaved rows of many keys gives each request its own: %s', async (query) => {
    await fixture.sql('ALTER ROLE CURRENT_USER SET enable_seqscan = off');
    await fixture.sql('ALTER ROLE CURRENT_USER SET enable_indexscan = off');
    const worker = startBatchWorker(fixture.connection);
    try {
      const data = Array.from({ length: 64 }, (_, i) => ({ k: (i * 37) % 520, n: `w${i * 8}` }));
      const outcomes = await worker.outcomes(await asksOf(worker, query, data));
      const expected = await aloneOutcomes(apart, query, data);
      expect(outcomes.map(sortedRows)).toEqual(expected.map(sortedRows));
      expect(worker.counters).toMatchObject({ batches: 1, batched: 64, failed: 0 });
    } finally {
      await worker.close();
      await fixture.sql('ALTER ROLE CURRENT_USER RESET ALL');
    }
  });
});

describe('a case-insensitive collation', () => {
  test.each(['text', 'varchar(20)'])('gives rows of %s to all requests for them', async (type) => {
    await fixture.sql(`
      DROP TABLE IF EXISTS folded;
      CREATE COLLATION IF NOT EXISTS folding
        (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TABLE folded (id int PRIMARY KEY, name ${type} COLLATE folding);
      INSERT INTO folded VALUES (1, 'Ana'), (2, 'ANA'), (3, 'ana'), (4, 'Eva'), (5, NULL);`);
    await expectSame({
      comment: type,
      query: 'Folded.filter(p=>p.name==k).sort(p=>p.id)',
      keys: ['ana', 'Ana', 'ANA', 'EVA', 'eva', 'none'],
    });
    const [found] = await aloneOutcomes(apart, 'Folded.filter(p=>p.name==k)', [{ k: 'aNA' }]);
    expect(JSON.parse(found ?? '')).toHaveLength(3);
  });
});

async function expectSame({ query, keys }: KeyCase): Promise<void> {
  const data = keys.map((k) => ({ k }));
  const expected = await aloneOutcomes(apart, query, data);
  expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
  const twice = [...data, ...data].reverse();
  expect(await together.outcomes(await asksOf(together, query, twice))).toEqual(
    [...expected, ...expected].reverse(),
  );
}

/** Rows without a sort may come in any order. */
function sortedRows(text: string): readonly string[] {
  const rows: unknown = JSON.parse(text);
  return Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)).sort() : [text];
}
