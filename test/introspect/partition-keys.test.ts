/** Foreign keys that the partitions of a table on PostgreSQL have, and the table does not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql, withoutRows } from './own-database.js';

const tables = `
  CREATE TABLE payment (id integer NOT NULL, paid date NOT NULL, zone_id integer, rental_id integer NOT NULL,
    PRIMARY KEY (paid, id)) PARTITION BY RANGE (paid);
  CREATE TABLE rental (id integer PRIMARY KEY, title text);
  CREATE TABLE zone (id integer PRIMARY KEY);
  CREATE TABLE payment_1 PARTITION OF payment FOR VALUES FROM ('2022-01-01') TO ('2022-02-01');
  CREATE TABLE payment_2 PARTITION OF payment FOR VALUES FROM ('2022-02-01') TO ('2022-04-01') PARTITION BY RANGE (paid);
  CREATE TABLE payment_2_a (paid date NOT NULL, rental_id integer NOT NULL, id integer NOT NULL, zone_id integer);
  ALTER TABLE payment_2 ATTACH PARTITION payment_2_a FOR VALUES FROM ('2022-02-01') TO ('2022-03-01');
  ALTER TABLE payment_1 ADD FOREIGN KEY (rental_id) REFERENCES rental (id);
  ALTER TABLE payment_2_a ADD FOREIGN KEY (rental_id) REFERENCES rental (id);
  ALTER TABLE payment_1 ADD FOREIGN KEY (zone_id) REFERENCES zone (id);
  INSERT INTO rental VALUES (1, 'Dawn'), (2, 'Noon');
  INSERT INTO payment VALUES (1, '2022-01-05', NULL, 1), (2, '2022-02-05', 7, 1);`;

describe('on PostgreSQL, a foreign key of every partition', () => {
  const database = useOwnPostgresql(tables);
  const empty = useOwnPostgresql(withoutRows(tables));
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('is one of the table', async () => {
    expect(await rowsOf(program, 'Payment.sort(p=>p.id).map(p=>[p.id, p.rental.title])')).toEqual([
      { id: 1, rental_title: 'Dawn' },
      { id: 2, rental_title: 'Dawn' },
    ]);
    const counts = 'Rental.sort(p=>p.id).map(p=>({id: p.id, n: p.payments.count()}))';
    expect(await rowsOf(program, counts)).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 0 },
    ]);
  });

  test('is not one of the table if a partition lacks it', async () => {
    await expect(rowsOf(program, 'Payment.include(p=>p.zone)')).rejects.toThrow();
  });

  test('orders the rows of an import', async () => {
    const exported = await ask(program, '/stages/default/export');
    const other = await startProgram(['--url', empty.url, '--workers', '1']);
    try {
      const stored = await post(other, '/stages/default/import', exported.text);
      expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
      expect((await ask(other, '/stages/default/export')).json()).toEqual(exported.json());
    } finally {
      await other.stop();
    }
  });
});
