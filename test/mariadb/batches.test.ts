/**
 * Batches on MariaDB: requests that run together are answered as if alone. These are equalities with an
 * integer or string key, and statements joined by UNION ALL.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { aloneOutcomes, asksOf } from '../workers/execute/alone-and-together.js';
import { type BatchWorker, startBatchWorker } from '../workers/execute/batch-worker.js';
import { readCases } from '../workers/execute/read-cases.js';
import { batchTables } from './batch-tables.js';

const sizes = [2, 3, 16, 64];
const counted = Array.from({ length: 40 }, (_, index) => ({ n: index % 31, t: `Title ${index}` }));

/** Reads with a key that is not an integer. */
const runTogether: readonly [string, string, readonly object[]][] = [
  ['equalities with a string', 'Items.filter(p=>p.title==t).sort(p=>p.id)', counted],
  [
    'equalities with a string, with includes',
    'Items.filter(p=>p.title==t&&p.id>3).sort(p=>p.id).include(p=>[p.parts,p.maker])',
    counted,
  ],
  [
    'equalities with a string, sorted by values named like the keys and numbers of a batch',
    'Items.filter(p=>p.title==t).map(p=>({k:lower(p.maker.country),ord:upper(p.note),id:p.id})).sort(p=>[p.k,p.ord,p.id])',
    counted,
  ],
  ['ranges', 'Items.filter(p=>p.id>=n&&p.amount>n).sort(p=>desc(p.id)).map(p=>p.id)', counted],
  ['pages', 'Items.sort(p=>p.id).page(n,3).include(p=>p.parts)', withPages()],
  ['counts', 'Items.filter(p=>p.small>n).count()', counted],
  ['groups', 'Items.filter(p=>p.small>n).map(p=>({k:p.ok,n:count(1),m:max(p.amount)}))', counted],
];

function withPages(): readonly object[] {
  return counted.map(({ n }) => ({ n: n + 1 }));
}

describeMariadb('batches', () => {
  let database: MariadbDatabase;
  let together: BatchWorker;
  let apart: BatchWorker;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(batchTables));
    together = startBatchWorker(database.connection, {}, 'MariaDB');
    apart = startBatchWorker(database.connection, { batching: 'off' }, 'MariaDB');
  });

  afterAll(async () => {
    await Promise.all([together.close(), apart.close()]);
    await database.drop();
  });

  describe('requests that run together get the same answers as alone', () => {
    test.each(readCases)('$query', async ({ query, data, failing }) => {
      const all = failing ? [...data, failing] : data;
      const expected = await aloneOutcomes(apart, query, all);
      for (const size of sizes) {
        const batch = Array.from({ length: size }, (_, index) => all[index % all.length]);
        expect(await together.outcomes(await asksOf(together, query, batch))).toEqual(
          batch.map((_, index) => expected[index % all.length]),
        );
      }
      expect(together.surplus).toBe(0);
    });
  });

  test('equalities with an integer key run as one statement', async () => {
    const data = Array.from({ length: 60 }, (_, index) => ({ id: index * 7 }));
    for (const query of [
      'Items.filter(p=>p.id==id)',
      'Items.filter(p=>p.small==id && p.amount>1).sort(p=>p.id)',
      'Items.filter(p=>p.id==id).include(p=>[p.parts,p.maker])',
    ]) {
      const expected = await aloneOutcomes(apart, query, data);
      const before = together.counters;
      expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
      expect(together.counters.batched - before.batched).toBe(data.length);
      expect(together.counters.failed).toBe(before.failed);
    }
  });

  test('requests run together even if statements are not kept', async () => {
    const changes = { preparedStatements: false };
    const worker = startBatchWorker(database.connection, changes, 'MariaDB');
    try {
      const data = Array.from({ length: 20 }, (_, index) => ({ id: index }));
      const query = 'Items.filter(p=>p.id==id)';
      const expected = await aloneOutcomes(apart, query, data);
      expect(await worker.outcomes(await asksOf(worker, query, data))).toEqual(expected);
      expect(worker.counters.batched).toBe(data.length);
    } finally {
      await worker.close();
    }
  });

  test.each(runTogether)('%s run as one statement', async (_, query, data) => {
    const expected = await aloneOutcomes(apart, query, data);
    const asks = await asksOf(together, query, data);
    const ask = async (count: number) => {
      const before = together.counters;
      const answers = await together.outcomes(asks.slice(0, count));
      expect(answers).toEqual(expected.slice(0, count));
      expect(together.counters.failed).toBe(before.failed);
      expect(together.counters.batched - before.batched).toBeGreaterThan(count / 2);
    };
    await ask(data.length);
    // After a few reads of a single row, the rows of a batch are answered as they arrive.
    for (const one of asks.slice(0, 5)) await together.outcomes([one]);
    // There is no statement for these numbers of requests.
    for (const count of [5, 7]) await ask(count);
  });

  test.each([
    ['utf8mb4_general_ci', "'A', 'a', 'Ä', 'a ', 'ss', 'ß', '?', 'B'"],
    ['utf8mb4_unicode_520_nopad_ci', "'A', 'a', 'Ä', 'a ', 'ss', 'ß', '?', 'B'"],
    ['latin1_swedish_ci', "'A', 'a', 'Ä', 'a ', 'ss', 'ß', '?', 'B'"],
    ['ascii_bin', "'A', 'a', 'a ', 'ss', '?', 'B'"],
    ['binary', "'A', 'a', 'a ', 'ss', '?', 'B'"],
  ])('strings are compared by the collation of their column: %s', async (collation, texts) => {
    const type = collation === 'binary' ? 'varbinary(80)' : `varchar(80) COLLATE ${collation}`;
    await database.withClient((client) =>
      client.query(`DROP TABLE IF EXISTS loose_texts;
        CREATE TABLE loose_texts (id int PRIMARY KEY, text ${type}, INDEX (text));
        INSERT INTO loose_texts SELECT seq, ELT(1 + seq % 8, ${texts}) FROM seq_1_to_100;
        CREATE OR REPLACE VIEW seen AS SELECT id AS number, text, id AS \`long\` FROM loose_texts`),
    );
    const asked = ['A', 'a', 'Ä', 'a ', 'ss', 'ß', 'ẞ', '?', 'b', '€', '😀', 'A'.repeat(200)];
    const data = [...asked, null].map((code) => ({ code }));
    for (const query of [
      'Seen.filter(p=>p.text==code).sort(p=>p.number)',
      'Seen.filter(p=>p.text>=code).sort(p=>p.number)',
      'Seen.filter(p=>lower(p.text)==lower(code)).sort(p=>p.number).map(p=>p.number)',
    ]) {
      const expected = await aloneOutcomes(apart, query, data);
      expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
    }
  });

  test('columns of every type give the same answers as alone', async () => {
    await database.withClient((client) =>
      client.query(`DROP TABLE IF EXISTS odd_types;
        CREATE TABLE odd_types (id int PRIMARY KEY, a float, b bit(9), c enum('x', 'y'), d year,
          e char(5), f timestamp(3) NULL, g json, h blob, i set('p', 'q'), j tinyint(1),
          k int unsigned, l decimal(5,2) zerofill, m double, n bigint unsigned);
        INSERT INTO odd_types SELECT seq, seq / 7, seq, 1 + seq % 2, 2000 + seq, 'c ',
          '2024-02-25 10:00:00.5', '{"a": 1}', UNHEX('FF00'), seq % 4, seq % 3, seq, seq / 3, seq / 7,
          18446744073709551615 FROM seq_1_to_40`),
    );
    for (const column of 'abcdefghijklmn') {
      await database.withClient((client) =>
        client.query(`CREATE OR REPLACE VIEW seen AS
          SELECT id AS number, ${column} AS text, id AS \`long\` FROM odd_types`),
      );
      const query = 'Seen.filter(p=>p.number>=low&&p.number<high).sort(p=>p.number)';
      const data = counted.map(({ n }) => ({ low: n, high: n + 2 }));
      const expected = await aloneOutcomes(apart, query, data);
      expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
    }
  });

  test.each([
    ['a decimal column', 'Loose.filter(p=>p.id==k).map(p=>[p.id,p.text])'],
    ['a string column', 'Seen.filter(p=>p.number==k).map(p=>[p.number,p.text])'],
  ])(
    'a key that is declared an integer, and is %s, gives the same answer as alone',
    async (_, query) => {
      const data = [7, 0, 1, 7, 8, 200].map((k) => ({ k }));
      const expected = await aloneOutcomes(apart, query, data);
      expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
    },
  );

  test('a reader never misses a write that was acknowledged before its request was sent', () =>
    database.withClient(async (client) => {
      const plan = await together.prepare('Counter.filter(p=>p.id==id).map(p=>[p.id,p.value])');
      let acknowledged = 0;
      let isOver = false;
      const before = together.counters;
      const write = async (): Promise<void> => {
        for (let round = 0; round < 400; round += 1) {
          await client.query('UPDATE counter SET value = value + 1');
          acknowledged += 1;
        }
        isOver = true;
      };
      const read = async (_: unknown, reader: number): Promise<void> => {
        while (!isOver) {
          const least = acknowledged;
          const [text = ''] = await together.outcomes([{ plan, data: { id: 1 + (reader % 4) } }]);
          expect(JSON.parse(text)[0].value).toBeGreaterThanOrEqual(least);
        }
      };
      await Promise.all([write(), ...Array.from({ length: 64 }, read)]);
      expect(together.counters.batched - before.batched).toBeGreaterThan(100);
    }));
});
