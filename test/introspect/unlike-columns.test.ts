/** Texts of columns that PostgreSQL cannot compare, or between which it cannot choose, are refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';
import { refusal } from './served-suite.js';

describe('unlike columns on PostgreSQL', () => {
  const database = useOwnPostgresql(`CREATE EXTENSION citext;
    CREATE TABLE word (id integer PRIMARY KEY, plain varchar(9), byte text COLLATE "C", old text COLLATE "POSIX",
      padded char(3), folded citext);
    INSERT INTO word VALUES (1, 'a', 'a', 'a', 'a', 'a'), (2, 'b', 'a', 'b', 'b', 'b')`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    'Word.filter(p=>p.byte==p.old)',
    'Word.filter(p=>p.byte<p.old)',
    'Word.filter(p=>(p.byte ?? p.old)==x)',
    'Word.sort(p=>p.byte ?? p.old)',
    'Word.distinct(p=>({text: p.byte ?? p.old}))',
    'Word.map(p=>({text: nvl(p.byte, p.old), n: count()}))',
  ])('of different collations: %s', async (query) => {
    expect(await refusal(program, query, { x: 'a' })).toMatchObject({
      status: 400,
      code: 'evaluation-failed',
    });
  });

  test('of different types: a choice between them', async () => {
    for (const choice of ['p.padded ?? p.folded', 'p.id>1 ? p.folded : p.padded']) {
      expect(await refusal(program, `Word.map(p=>({text: ${choice}}))`)).toMatchObject({
        status: 400,
        code: 'operation-undefined',
      });
    }
  });

  test('are compared with columns of the default collation', async () => {
    const equal = 'Word.filter(p=>p.plain==p.byte && p.plain==p.old && p.plain==p.folded)';
    expect(await rowsOf(program, `${equal}.map(p=>p.id)`)).toEqual([{ id: 1 }]);
    const choice = 'Word.map(p=>({text: p.plain ?? p.byte, n: count()})).sort(p=>p.text)';
    expect(await rowsOf(program, choice)).toEqual([
      { text: 'a', n: 1 },
      { text: 'b', n: 1 },
    ]);
  });
});
