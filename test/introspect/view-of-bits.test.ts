/** A view whose condition is a `bit` of MariaDB, which is answered as a byte. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

describeMariadb('a view of rows with a bit', () => {
  const database = useOwnMariadb(`
    CREATE TABLE shop (id integer PRIMARY KEY, open bit(1));
    CREATE TABLE shelf (id integer PRIMARY KEY, name varchar(20), shopId integer);
    INSERT INTO shop VALUES (1, b'1'), (2, b'0'), (3, NULL);
    INSERT INTO shelf VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3);`);
  const folder = mkdtempSync(join(tmpdir(), 'rowgate-bits-'));
  let program: Program;
  beforeAll(async () => {
    const entities = [
      {
        name: 'shop',
        primaryKey: ['id'],
        properties: [
          { name: 'id', type: 'integer', required: true },
          { name: 'open', type: 'boolean' },
        ],
      },
      {
        name: 'shelf',
        primaryKey: ['id'],
        properties: [
          { name: 'id', type: 'integer', required: true },
          { name: 'name', type: 'string' },
          { name: 'shopId', type: 'integer' },
        ],
        relations: [{ name: 'shop', from: 'shopId', entity: 'shop', to: 'id', weak: true }],
      },
    ];
    const infrastructure = {
      sources: [{ name: 'main', dialect: database.dialect, connection: database.url }],
      views: [{ name: 'open', entities: [{ name: 'shelf', readExp: 'p=>p.shop.open' }] }],
    };
    const file = join(folder, 'schema.json');
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure }));
    program = await startProgram(['--schema', file]);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });
  const ask = async (query: string, data?: unknown) => {
    const { status, text } = await post(program, '/execute', {
      query,
      data,
      options: { view: 'open' },
    });
    return { status, value: JSON.parse(text) };
  };

  test('shows those whose bit is set', async () => {
    expect((await ask('shelf.map(p=>p.id)')).value).toEqual([{ id: 1 }]);
  });

  test.each(['shelf.merge()', 'shelf.update()', 'shelf.upsert()'])(
    '%s keeps its row in it',
    async (query) => {
      expect(await ask(query, { id: 1, name: query })).toMatchObject({ status: 200 });
      expect((await ask('shelf.map(p=>p.name)')).value).toEqual([{ name: query }]);
    },
  );

  test.each([
    [200, 1],
    [422, 2],
    [422, 3],
  ])('answers %i when a row is inserted for shop %i', async (status, shopId) => {
    const answer = await ask('shelf.insert()', { id: 10 + shopId, name: 'x', shopId });
    expect(answer).toMatchObject({ status });
  });
});
