/** An enum whose columns have several types on PostgreSQL: a value of one is assigned to another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const columns = ['status', 'previous', 'short', 'other'];
const domain = {
  enums: [{ name: 'Status', values: ['open', 'done'].map((name) => ({ name, value: name })) }],
  entities: [
    {
      name: 'orders',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        ...columns.map((name) => ({ name, enum: 'Status' })),
      ],
    },
  ],
};

describe('columns of one enum with several types', () => {
  const database = useOwnPostgresql(`
    CREATE TYPE status AS ENUM ('open', 'done');
    CREATE TYPE other AS ENUM ('done', 'open');
    CREATE TABLE orders (id int PRIMARY KEY, status status, previous text, short varchar(9), other other);
    INSERT INTO orders VALUES (1, 'open', 'done', 'open', 'done'), (2, 'done', NULL, NULL, NULL);`);
  let program: Program;
  beforeAll(async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    const sources = [{ name: 'default', dialect: 'PostgreSQL', connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain, infrastructure: { sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    ['p.previous', ['done', null]],
    ['p.short', ['open', null]],
    ['p.other', ['done', null]],
    ['p.previous ?? "open"', ['done', 'open']],
    ['p.other ?? p.short ?? "done"', ['done', 'done']],
    ['p.id==1 ? "open" : p.previous', ['open', null]],
    ['p.status ?? p.previous ?? "done"', ['open', 'done']],
    ['p.id==1 ? x : p.status', ['done', 'done']],
  ])('are assigned to each other: %s', async (value, states) => {
    const query = `orders.update(p=>({status: ${value}})).filter(p=>p.id>0)`;
    expect((await post(program, '/execute', { query, data: { x: 'done' } })).text).toBe('2');
    const stored = await rowsOf(program, 'orders.sort(p=>p.id).map(p=>p.status)');
    expect(stored).toEqual(states.map((status) => ({ status })));
  });

  test('also to a column of another enumerated type', async () => {
    const query = 'orders.update(p=>({other: p.status ?? "open"})).filter(p=>p.id>0)';
    expect((await post(program, '/execute', { query, data: {} })).text).toBe('2');
  });
});
