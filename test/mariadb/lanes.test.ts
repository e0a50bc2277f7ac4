/**
 * Lanes on MariaDB: whatever runs together is answered as it is alone. Equalities with a key that is
 * an integer run together; other reads have no lane there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { aloneOutcomes, asksOf } from '../workers/lanes/alone-and-together.js';
import { type LaneWorker, startLaneWorker } from '../workers/lanes/lane-worker.js';
import { readCases } from '../workers/lanes/read-cases.js';
import { laneTables } from './lane-tables.js';

const sizes = [2, 3, 16, 64];

describeMariadb('lanes', () => {
  let database: MariadbDatabase;
  let together: LaneWorker;
  let apart: LaneWorker;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(laneTables));
    together = startLaneWorker(database.connection, {}, 'MariaDB');
    apart = startLaneWorker(database.connection, { lanes: false }, 'MariaDB');
  });

  afterAll(async () => {
    await Promise.all([together.close(), apart.close()]);
    await database.drop();
  });

  describe('requests that run together are answered as those that run alone', () => {
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
      expect(together.counters.broken).toBe(before.broken);
    }
  });

  test.each([
    ['a decimal column', 'Loose.filter(p=>p.id==k).map(p=>[p.id,p.text])'],
    ['a text column', 'Seen.filter(p=>p.number==k).map(p=>[p.number,p.text])'],
  ])('a key that is declared an integer, and is %s, is answered as alone', async (_, query) => {
    const data = [7, 0, 1, 7, 8, 200].map((k) => ({ k }));
    const expected = await aloneOutcomes(apart, query, data);
    expect(await together.outcomes(await asksOf(together, query, data))).toEqual(expected);
  });

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
