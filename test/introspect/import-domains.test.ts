/** Imports on PostgreSQL into columns whose domain is NOT NULL: rows may leave their values to the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

describe('imports into columns of domains', () => {
  const database = useOwnPostgresql(`
    CREATE DOMAIN number AS bigint NOT NULL;
    CREATE DOMAIN pk AS number CHECK (VALUE < 1000);
    CREATE DOMAIN title AS varchar(20) COLLATE "C" NOT NULL DEFAULT upper('x');
    CREATE SEQUENCE "Keys";
    CREATE TABLE parent (id pk DEFAULT nextval('"Keys"') PRIMARY KEY, title title, other title);
    CREATE TABLE child (id pk DEFAULT nextval('"Keys"') PRIMARY KEY, parent_id pk REFERENCES parent (id));`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const send = (entity: string, rows: readonly object[]) =>
    post(program, '/stages/default/import', { entities: [{ entity, rows }] });

  test('may omit defaults and generated keys, and nest rows', async () => {
    const answer = await send('Parent', [
      { id: 500, title: 'own' },
      { id: 501, other: 'b', children: [{ id: 7 }] },
      { title: 'c' },
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(
      await rowsOf(program, 'Parent.sort(p=>p.title+p.other).map(p=>[p.title,p.other])'),
    ).toEqual([
      { title: 'X', other: 'b' },
      { title: 'c', other: 'X' },
      { title: 'own', other: 'X' },
    ]);
    expect(await rowsOf(program, 'Child')).toEqual([{ id: 7, parentId: 501 }]);
  });

  test.each([
    [{ id: 2000, title: 'a' }, 'check-violation'],
    [{ id: 8, title: null }, 'not-null-violation'],
  ])('store nothing that the domain refuses: %j', async (row, code) => {
    const answer = await send('Parent', [row]);
    expect([answer.status, answer.json()]).toMatchObject([expect.any(Number), { code }]);
  });
});
