/** Keys that PostgreSQL always generates can be given, as those that it generates by default. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const sql = `
  CREATE TABLE shop (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(20));
  CREATE TABLE item (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, shop_id integer REFERENCES shop (id));
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
});
