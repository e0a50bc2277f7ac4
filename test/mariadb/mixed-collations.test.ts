/** Columns with different collations, as in older databases: MariaDB cannot compare them with each other. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal } from '../introspect/served-suite.js';
import { useOwnMariadb } from '../introspect/own-database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, runCommand, startProgram } from '../support/program.js';

const tables = `
CREATE TABLE author (code varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY KEY,
  name varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci);
CREATE TABLE book (id integer PRIMARY KEY,
  author varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci,
  editor varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  printer varchar(10) CHARACTER SET latin1 COLLATE latin1_swedish_ci);
INSERT INTO author VALUES ('a', 'Anna');
INSERT INTO book VALUES (1, 'A', 'a', 'A');`;

const entities = [
  {
    name: 'Authors',
    primaryKey: ['code'],
    properties: [
      { name: 'code', length: 10, required: true },
      { name: 'name', length: 20 },
    ],
  },
  {
    name: 'Books',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      ...['author', 'editor', 'printer'].map((name) => ({ name: `${name}Code`, length: 10 })),
    ],
    relations: ['author', 'editor', 'printer'].map((name) => {
      return { name, from: `${name}Code`, entity: 'Authors', to: 'code', weak: true };
    }),
  },
];

const columns = ['author', 'editor', 'printer'].map((mapping) => ({
  name: `${mapping}Code`,
  mapping,
}));
const mapped = [
  { name: 'Authors', mapping: 'author' },
  { name: 'Books', mapping: 'book', properties: columns },
];

describeMariadb('columns with different collations', () => {
  const database = useOwnMariadb(tables);
  const file = join(makeTemporaryDirectory(), 'schema.json');
  let program: Program;
  beforeAll(async () => {
    const sources = [{ name: 'main', dialect: 'MariaDB', connection: database.url }];
    const infrastructure = { mappings: [{ name: 'default', entities: mapped }], sources };
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('are followed by an include', async () => {
    const rows = await rowsOf(program, 'Books.include(p=>p.author)');
    expect(rows).toMatchObject([{ author: { name: 'Anna' } }]);
  });

  test('become JSON in the collation of the column', async () => {
    const all =
      'Books.map(p=>({a:toJson(p.authorCode),b:toJson(p.editorCode),c:toJson(p.printerCode)}))';
    expect(await rowsOf(program, all)).toEqual([{ a: '"A"', b: '"a"', c: '"A"' }]);
    const same = 'Books.filter(p=>toJson(p.printerCode)=="\\"a\\"").map(p=>p.id)';
    expect(await rowsOf(program, same)).toEqual([{ id: 1 }]);
  });

  test.each([
    'Authors.filter(p=>p.code==p.name)',
    'Books.map(p=>p.author.name)',
    'Books.filter(p=>p.author.name=="Anna")',
  ])('%s is refused with the reason and what to do', async (query) => {
    const { status, code, detail } = await refusal(program, query);
    expect([status, code]).toEqual([400, 'evaluation-failed']);
    expect(detail).toMatch(
      /different collations \(utf8mb4_\w+ and utf8mb4_\w+\)\. Give them the same one in the database\./,
    );
  });

  test.each(['editor', 'printer'])(
    'a path through the relation %s, which can be compared',
    async (name) => {
      expect(await rowsOf(program, `Books.map(p=>p.${name}.name)`)).toEqual([{ name: 'Anna' }]);
    },
  );

  test('of a character set without most white space can be trimmed', async () => {
    const trimmed =
      'p=>({t: trim(p.printerCode), l: ltrim(p.printerCode), r: rtrim(p.printerCode)})';
    const update = 'Books.update({printerCode: text}).filter(p=>p.id==1)';
    expect(await rowsOf(program, update, { text: '\u00a0 A\t\u00a0' })).toBe(1);
    expect(await rowsOf(program, `Books.map(${trimmed})`)).toEqual([
      { t: 'A', l: 'A\t\u00a0', r: '\u00a0 A' },
    ]);
    expect(await rowsOf(program, update, { text: 'A' })).toBe(1);
  });

  test('are reported with their names', async () => {
    expect((await runCommand(['diff', '--schema', file])).stdout).toBe(
      "main: Books.author: The columns book.author (utf8mb4_unicode_ci) and author.code (utf8mb4_general_ci) have different collations, so only 'include' can follow the relation.\n",
    );
  });
});
