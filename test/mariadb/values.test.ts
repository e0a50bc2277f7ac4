/** Values that MariaDB columns can have and PostgreSQL columns cannot. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';

const tables = `
  CREATE TABLE Odd (id int PRIMARY KEY, flag tinyint(1), span time(3));
  INSERT INTO Odd VALUES (1, 1, '25:00:00'), (2, 2, '-01:30:00'), (3, 0, '838:59:59');
  CREATE TABLE Amount (id int PRIMARY KEY, exact decimal(65,30), approximate double);
  INSERT INTO Amount VALUES (1, -99999999999999999999, 1e300), (2, 3, -1e300), (3, 2.5, 5);
  CREATE TABLE Item (id int PRIMARY KEY, amountId int, number int, price decimal(9,2), KEY (amountId),
    KEY (number), KEY (price));
  INSERT INTO Item SELECT seq, 1 + seq % 3, seq % 7, seq % 7 FROM seq_1_to_500;
  ANALYZE TABLE Amount, Item;
  SET sql_mode = '';
  CREATE TABLE Day (id int PRIMARY KEY, day date, at datetime(6));
  INSERT INTO Day VALUES (1, '2024-05-00', '2024-05-00 10:00:00'), (2, '0000-05-03', '0000-05-03 10:00:00'),
    (3, '2024-00-07', '0000-00-00'), (4, '0001-01-01', '9999-12-31 23:59:59.999999');
`;

describeMariadb('values', () => {
  let database: MariadbDatabase;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(tables));
    worker = startWorker(documentOf(database.connection));
  });
  afterAll(async () => {
    await worker.close();
    await database.drop();
  });

  test('of a time are returned unchanged', async () => {
    expect(await worker.gateway.rows('Odd.map(o=>o.span).sort(o=>o.id)')).toEqual([
      { span: '25:00:00' },
      { span: '-01:30:00' },
      { span: '838:59:59' },
    ]);
  });

  test('of a date without a year, a month or a day are null, also as strings', async () => {
    const nothing = { day: null, at: null, t: null, u: null };
    const query = 'Day.map(p=>({day: p.day, at: p.at, t: toString(p.day), u: toString(p.at)}))';
    const [day, at] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999'];
    expect(await worker.gateway.rows(`${query}.sort(p=>p.id)`)).toEqual([
      ...[nothing, nothing, nothing],
      { day, at: `${at}999Z`, t: day, u: `${at}Z` },
    ]);
  });

  test('of a boolean are true if they are 1', async () => {
    expect(await worker.gateway.rows('Odd.map(o=>o.flag).sort(o=>o.id)')).toEqual([
      { flag: true },
      { flag: false },
      { flag: false },
    ]);
    expect(await worker.gateway.rows('Odd.filter(o=>o.flag==true).map(o=>o.id)')).toEqual([
      { id: 1 },
    ]);
    const met = await worker.gateway.rows('Odd.filter(o=>o.flag).map(o=>o.id).sort(o=>o.id)');
    expect(met).toEqual([{ id: 1 }, { id: 2 }]);
  });

  // The server stores groups in a temporary table.
  test('of powers keep their size as the key of a group and beside distinct values', async () => {
    const quotient = '(p.id+8)**x/2';
    const query = `Item.filter(p=>p.id<4).map(p=>({k: ${quotient}, s: sum(${quotient}), a: avg(${quotient}), n: sum(distinct(0))}))`;
    const rows = await worker.gateway.rows(`${query}.sort(p=>p.k)`, { x: 60 });
    const expected = [9, 10, 11].map((base) => base ** 60 / 2);
    expect(rows).toEqual(
      expected.map((value) => {
        const near = expect.closeTo(value, -Math.log10(value) + 12);
        return { k: near, s: near, a: near, n: 0 };
      }),
    );
  });

  // The server looks such values up in the index of the other column.
  test.each([
    ['number', 'exact', 3],
    ['number', 'approximate', 5],
    ['price', 'approximate', 5],
  ])('of %s are compared with %s ones that are out of its range', async (left, right, number) => {
    const query = `Item.filter(p=>p.${left}==p.amount.${right}).map(p=>p.id).sort(p=>p.id)`;
    const ids = Array.from({ length: 500 }, (_, index) => index + 1);
    const amountOf = { exact: 2, approximate: 3 }[right];
    const found = ids.filter((id) => id % 7 === number && 1 + (id % 3) === amountOf);
    expect(await worker.gateway.rows(query)).toEqual(found.map((id) => ({ id })));
    expect(await worker.gateway.rows(query)).toHaveLength(found.length);
  });
});

const amount = {
  name: 'Amount',
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: 'integer' },
    { name: 'exact', type: 'decimal' },
    { name: 'approximate', type: 'number' },
  ],
};

const day = {
  name: 'Day',
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: 'integer' },
    { name: 'day', type: 'date' },
    { name: 'at', type: 'dateTime' },
  ],
};

const item = {
  name: 'Item',
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: 'integer' },
    { name: 'amountId', type: 'integer' },
    { name: 'number', type: 'integer' },
    { name: 'price', type: 'decimal' },
  ],
  relations: [{ name: 'amount', type: 'oneToMany', from: 'amountId', entity: 'Amount', to: 'id' }],
};

function documentOf(connection: MariadbDatabase['connection']): unknown {
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'flag', type: 'boolean' },
    { name: 'span', type: 'time' },
  ];
  return {
    domain: {
      version: '1.0.0',
      entities: [{ name: 'Odd', primaryKey: ['id'], properties }, amount, item, day],
    },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [{ name: 'default', dialect: 'MariaDB', mapping: 'default', connection }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  };
}
