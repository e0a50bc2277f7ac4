/**
 * MySQL and MariaDB sort an ENUM or a SET by the numbers of its values, but compare it as a text. Rowgate recognizes their
 * columns although the schema file calls them strings.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useOwnMariadb } from '../introspect/own-database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { execute } from './stock.js';

const sql = `
  CREATE TABLE Ticket (id integer PRIMARY KEY, size enum('small', 'medium', 'large'), tags set('a', 'b', 'c'),
    name varchar(9));
  INSERT INTO Ticket VALUES (1, 'small', 'b', 'x'), (2, 'medium', 'a,c', 'y'), (3, 'large', 'a', 'z'), (4, NULL, NULL, NULL);
  CREATE TABLE Part (kind enum('small', 'medium', 'large'), id integer, PRIMARY KEY (kind, id));
  INSERT INTO Part VALUES ('small', 1), ('small', 2), ('medium', 3), ('large', 4), ('large', 5)`;
const properties = [
  { name: 'id', type: 'integer', required: true },
  ...['size', 'tags', 'name'].map((name) => ({ name, type: 'string' })),
];
const parts = [
  { name: 'kind', type: 'string', required: true },
  { name: 'id', type: 'integer', required: true },
];
const entities = [
  { name: 'Ticket', primaryKey: ['id'], properties },
  { name: 'Part', primaryKey: ['kind', 'id'], properties: parts },
];

describeMariadb('pages after a cursor', () => {
  const database = useOwnMariadb(sql);
  const folder = makeTemporaryDirectory();
  let program: Program;
  beforeAll(async () => {
    const file = join(folder, 'schema.json');
    const sources = [{ name: 'main', dialect: database.dialect, connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    'Ticket.sort(p=>p.tags).map(p=>p.id).after(cursor).take(2)',
    'Ticket.sort(p=>[p.name, desc(p.size)]).map(p=>p.id).after(cursor).take(2)',
    'Ticket.distinct(p=>p.tags).after(cursor).take(2)',
    'Part.sort(p=>p.id).after(cursor).take(2)',
    'Ticket.map(p=>({size: p.size, n: count()})).after(cursor).take(2)',
  ])('refuse %s', async (query) => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await execute(program, query, { data: { cursor: null } });
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        { code: 'operation-undefined', detail: expect.stringContaining('concat(p.name)') },
      ]);
    }
    expect(await rowsOf(program, 'Ticket.map(p=>p.tags).filter(p=>p.id==2)')).toEqual([
      { tags: 'a,c' },
    ]);
  });

  test.each([
    ['Ticket.sort(p=>concat(p.tags)).map(p=>[p.id, p.tags])', [3, 2, 1, 4]],
    ['Ticket.sort(p=>concat(p.size)).map(p=>[p.id, p.tags])', [3, 2, 1, 4]],
    ['Ticket.sort(p=>p.name).map(p=>[p.id, p.tags])', [1, 2, 3, 4]],
    ['Part.sort(p=>concat(p.kind))', [4, 5, 3, 1, 2]],
    ['Part.sort(p=>[desc(p.id), p.kind.concatenate()])', [5, 4, 3, 2, 1]],
  ])('contain each row once: %s', async (sorted, ids) => {
    const query = `${sorted}.after(cursor).take(2)`;
    let cursor: string | null | undefined = null;
    const rows: number[] = [];
    do {
      const page = await execute(program, query, { data: { cursor } });
      rows.push(...(page.json() as readonly { id: number }[]).map(({ id }) => id));
      [, cursor] = /cursor="([\w-]+)"/.exec(page.headers.get('link') ?? '') ?? [];
    } while (cursor !== undefined);
    expect(rows).toEqual(ids);
  });
});
