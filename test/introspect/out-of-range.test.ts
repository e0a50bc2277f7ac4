/** A number that its column cannot store is refused with the property and its place. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLE = `CREATE TABLE item (id integer PRIMARY KEY, small smallint, price numeric(5, 2), big bigint,
  base integer, product integer GENERATED ALWAYS AS (base * 1000000) STORED);`;

describe('numbers out of range on PostgreSQL', () => {
  const database = useOwnPostgresql(
    `${TABLE}
    CREATE DOMAIN percent AS numeric(4, 1);
    CREATE DOMAIN rate AS percent;
    CREATE TABLE other (id integer PRIMARY KEY, share percent, rate rate, ratio real, of integer);`,
  );
  const { refusal } = suite(database);

  test('the parameter of an update by a filter is named', async () => {
    const refused = {
      code: 'value-out-of-range',
      detail: "The value of parameter 'v' is outside the range that the database can store.",
      place: 'data.v',
    };
    const update = 'Item.update({small: v}).filter(p=>p.id==1)';
    expect(await refusal(update, { v: 40_000 })).toMatchObject(refused);
  });

  test.each([
    'Item.update({small: s, price: v}).filter(p=>p.small==1)',
    'Item.updateAll({price: 1000, small: s})',
  ])('%s: the property is named if it has too many digits', async (query) => {
    expect(await refusal(query, { v: 1000, s: 1 })).toMatchObject({
      status: 400,
      code: 'value-out-of-range',
      detail: 'A number is out of the range of price in entity Item.',
    });
  });

  test.each([
    ['share', 1000],
    ['rate', 1000],
    ['ratio', 1e39],
  ])('%s: %j is refused, too', async (property, value) => {
    const rows = [{ id: 1, of: 2 }, { id: 2 }, { id: 3, [property]: value }];
    const refused = {
      status: 400,
      code: 'value-out-of-range',
      detail: `A number is out of the range of ${property} in entity Other.`,
    };
    const place = `data[2].${property}`;
    expect(await refusal('Other.bulkInsert()', rows)).toMatchObject({ ...refused, place });
    const row = { id: 3, [property]: value };
    const single = { ...refused, place: `data.${property}` };
    expect(await refusal('Other.insert()', row)).toMatchObject(single);
  });
});

describeMariadb('numbers out of range', () => {
  suite(useOwnMariadb(TABLE));
});

function suite(database: OwnDatabase) {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
    await rowsOf(program, 'Item.insert()', { id: 1, small: 1 });
  });
  afterAll(() => program.stop());

  const refusal = async (query: string, data: unknown): Promise<unknown> =>
    (await post(program, '/execute', { query, data })).json();

  test.each([
    ['small', 32_768],
    ['small', -32_769],
    ['price', 1000],
    ['price', 999.995],
    ['id', 2_147_483_648],
  ])('%s: %d is refused with its place', async (property, value) => {
    const refused = {
      status: 400,
      code: 'value-out-of-range',
      detail: `A number is out of the range of ${property} in entity Item.`,
    };
    const row = { id: 5, [property]: value };
    const place = `data.${property}`;
    for (const query of ['Item.insert()', 'Item.upsert()']) {
      expect(await refusal(query, row)).toMatchObject({ ...refused, place });
    }
    const largest = { small: 32_767, price: -999.99, big: 2 ** 40 };
    const ofRow = { ...refused, place: `data[1].${property}` };
    for (const first of [{}, { small: 0, price: 0, big: 0 }]) {
      const rows = [
        { id: 6, ...largest },
        { ...first, ...row },
      ];
      for (const query of ['Item.bulkInsert()', 'Item.bulkUpsert()']) {
        expect(await refusal(query, rows)).toMatchObject(ofRow);
      }
    }
    if (property !== 'id') {
      const update = { ...row, id: 1 };
      expect(await refusal('Item.update()', update)).toMatchObject({ ...refused, place });
    }
    const many = await Promise.all(
      [1, 2, 3, 4].map((id) => refusal('Item.insert()', id === 3 ? row : { id: 1 })),
    );
    expect(many[2]).toMatchObject({ ...refused, place });
    const steps = await post(program, '/transaction', [
      { query: 'Item.insert()', data: { id: 7 } },
      { query: 'Item.insert()', data: row },
    ]);
    expect(steps.json()).toMatchObject({ ...refused, place, step: 1 });
    expect(await rowsOf(program, 'Item.map(p=>p.id)')).toEqual([{ id: 1 }]);
  });

  test('a number that the database computes is not named as one of the data', async () => {
    const rows = [
      { id: 8, base: 1 },
      { id: 9, base: 3000 },
    ];
    const answer = await refusal('Item.bulkInsert()', rows);
    expect(answer).toMatchObject({ code: 'value-out-of-range' });
    expect(JSON.stringify(answer)).not.toMatch(/base|\.id/);
  });

  return { refusal };
}
