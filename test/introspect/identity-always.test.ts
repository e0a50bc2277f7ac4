/** Keys that PostgreSQL always generates can be given, as those that it generates by default. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const sql = `
  CREATE TABLE shop (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(20));
  CREATE TABLE item (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, shop_id integer REFERENCES shop (id));
  CREATE TABLE bill (id integer PRIMARY KEY, "no" integer GENERATED ALWAYS AS IDENTITY);
  INSERT INTO shop (name) VALUES ('first');`;

describe('GENERATED ALWAYS AS IDENTITY', () => {
  const database = useOwnPostgresql(sql);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('a row is updated or inserted by its key', async () => {
    const upsert = (data: object) => rowsOf(program, 'Shop.upsert()', data);
    expect(await upsert({ id: 1, name: 'one' })).toEqual({ id: 1, name: 'one' });
    expect(await upsert({ id: 5, name: 'five' })).toEqual({ id: 5, name: 'five' });
    expect(await upsert({ name: 'next' })).toEqual({ id: 6, name: 'next' });
  });

  test('rows are inserted with a key and without', async () => {
    const shop = { id: 20, name: 'x', items: [{ id: 7 }] };
    await rowsOf(program, 'Shop.insert().include(p=>p.items)', shop);
    const many = [
      { id: 30, name: 'y' },
      { id: 31, name: 'z' },
    ];
    await rowsOf(program, 'Shop.bulkInsert()', many);
    expect(await rowsOf(program, 'Shop.insert()', { name: 'w' })).toEqual({ id: 32, name: 'w' });
    const items = 'Item.map(p=>[p.id, p.shopId])';
    expect(await rowsOf(program, items)).toEqual([{ id: 7, shopId: 20 }]);
  });

  test('rows of which only the key is given are found', async () => {
    const items = [{ id: 51 }];
    const answer = { id: 1, name: 'one' };
    expect(await rowsOf(program, 'Shop.update()', { id: 1 })).toBe(1);
    expect(await rowsOf(program, 'Shop.update().include(p=>p.items)', { id: 1, items })).toBe(1);
    expect(await rowsOf(program, 'Shop.upsert()', { id: 1 })).toEqual(answer);
    const both = await rowsOf(program, 'Shop.bulkUpsert()', [{ id: 1 }, { id: 60 }]);
    expect(both).toEqual([answer, { id: 60, name: null }]);
    const ofItem = 'Item.filter(p=>p.id==51).map(p=>p.shopId)';
    expect(await rowsOf(program, ofItem)).toEqual([{ shopId: 1 }]);
  });

  test('an update of such a value is refused', async () => {
    const refusal = async (query: string, data: object) =>
      (await post(program, '/execute', { query, data })).json();
    const generated = (name: string) => ({
      status: 422,
      code: 'refused-by-database',
      detail: `The database always generates ${name}: leave it out of the write.`,
    });
    const moved = 'Shop.filter(p=>p.id==1).update({id: x})';
    expect(await refusal(moved, { x: 9 })).toMatchObject(generated('id of entity Shop'));
    expect(await rowsOf(program, 'Bill.insert()', { id: 1, no: 4 })).toEqual({ id: 1, no: 4 });
    const ofBill = { ...generated('no of entity Bill'), place: 'data.no' };
    expect(await refusal('Bill.update()', { id: 1, no: 5 })).toMatchObject(ofBill);
    expect(await refusal('Bill.upsert()', { id: 1, no: 5 })).toMatchObject(ofBill);
    expect(await rowsOf(program, 'Bill')).toEqual([{ id: 1, no: 4 }]);
  });
});
