/** Imports on MariaDB of rows whose keys are binary data or bits: they are checked like those of other types. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

/** The types of keys, and a value of each; another value refers to nothing. */
const KINDS = [
  { kind: 'short', type: 'varbinary(20)', own: 'AP8=', other: 'AP4=' },
  {
    kind: 'fixed',
    type: 'binary(16)',
    own: 'AP8AAAAAAAAAAAAAAAAAAA==',
    other: '/wAAAAAAAAAAAAAAAAAAAA==',
  },
  { kind: 'flag', type: 'bit(1)', own: true, other: false },
  { kind: 'flags', type: 'bit(12)', own: 2748, other: 49 },
] as const;

const tables = KINDS.map(
  ({ kind, type }) => `
    CREATE TABLE ${kind} (id ${type} PRIMARY KEY, number integer);
    CREATE TABLE ${kind}_part (id integer PRIMARY KEY, refers ${type}, FOREIGN KEY (refers) REFERENCES ${kind} (id));`,
);

describeMariadb('imports of binary keys', () => {
  const database = useOwnMariadb(tables.join(''));
  let program: Program;
  let directory = '';
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rowgate-keys-'));
    const drafted = await callCommand(['introspect', database.url]);
    expect(drafted.code, drafted.stderr).toBe(0);
    const file = join(directory, 'schema.yaml');
    writeFileSync(file, filtered(drafted.stdout));
    program = await startProgram(['--schema', file, '--workers', '1'], {
      DATABASE_URL: database.url,
    });
  });
  afterAll(async () => {
    await program.stop();
    rmSync(directory, { recursive: true });
  });

  test.each(KINDS)('$type: what the rules allow is stored', async ({ kind, own, other }) => {
    const entity = named(kind);
    const parts = [
      { id: 1, refers: own },
      { id: 2, refers: null },
    ];
    const answer = await send([
      { entity, rows: [{ id: own, number: 1 }] },
      { entity: `${entity}Part`, rows: parts },
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect(await rowsOf(program, entity)).toEqual([{ id: own, number: 1 }]);
    expect(await rowsOf(program, `${entity}Part.sort(p=>p.id)`)).toEqual(parts);

    const dangling = await send([{ entity: `${entity}Part`, rows: [{ id: 3, refers: other }] }]);
    expect([dangling.status, dangling.json()]).toMatchObject([
      409,
      { code: 'foreign-key-violation' },
    ]);

    const outside = await send([{ entity, rows: [{ id: other, number: -1 }] }]);
    expect([outside.status, outside.json()]).toMatchObject([422, { code: 'row-outside-view' }]);
    expect(await rowsOf(program, `${entity}Part.filter(p=>p.id==3)`)).toEqual([]);
    expect(await database.texts(`SELECT count(*) FROM ${kind}`)).toEqual([[1n]]);
  });

  function send(entities: readonly object[]) {
    return post(program, '/stages/default/import', { entities });
  }
});

function named(kind: string): string {
  return kind[0]?.toUpperCase() + kind.slice(1);
}

/** The schema with a filter of each table that is referred to. */
function filtered(schema: string): string {
  return schema.replaceAll(
    /^( +)mapping: (short|fixed|flag|flags)$/gm,
    "$&\n$1filter: 'number > 0'",
  );
}
