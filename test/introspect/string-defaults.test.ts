/** Defaults with line breaks, quotes and backslashes: an insert through Rowgate stores what the database's own does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, post, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TEXTS = ['x\ny', String.raw`a\b`, String.raw`x\ny`, "it's", 'a\r\tb', '\\\'"', '${HOME}', ''];

describe('on PostgreSQL', () => {
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  suite(useOwnPostgresql(tableOf('id serial PRIMARY KEY', literal)), 'DEFAULT VALUES');
});

describeMariadb('string defaults', () => {
  const literal = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const database = useOwnMariadb(`${tableOf('id integer AUTO_INCREMENT PRIMARY KEY', literal)};
    CREATE TABLE step (id integer AUTO_INCREMENT PRIMARY KEY,
      name enum('a\\nb', 'c\\\\d') NOT NULL DEFAULT 'c\\\\d', zero varchar(9) DEFAULT 'a\\0b')`);
  const program = suite(database, '() VALUES ()');

  test('the default of an enumerated type is one of its values, and a character may be zero', async () => {
    await post(program(), '/execute', { query: 'Step.insert()', data: '{}' });
    expect(await rowsOf(program(), 'Step')).toEqual([
      { id: 1, name: String.raw`c\d`, zero: 'a\0b' },
    ]);
  });
});

function suite(database: OwnDatabase, ofDefaults: string): () => Program {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('an insert stores the default of the database', async () => {
    await database.run(`INSERT INTO note ${ofDefaults}`);
    const inserted = await post(program, '/execute', { query: 'Note.insert()', data: '{}' });
    expect(inserted.status).toBe(200);
    const values = Object.fromEntries(TEXTS.map((text, index) => [`t${index}`, text]));
    expect(await rowsOf(program, 'Note.sort(p=>p.id)')).toEqual([
      { id: 1, ...values },
      { id: 2, ...values },
    ]);
  });

  return () => program;
}

function tableOf(key: string, literal: (text: string) => string): string {
  const columns = TEXTS.map(
    (text, index) => `t${index} varchar(20) NOT NULL DEFAULT ${literal(text)}`,
  );
  return `CREATE TABLE note (${[key, ...columns].join(', ')})`;
}
