/** The commands for a database that lacks tables or views of the schema file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { runCommand } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = `
  CREATE TABLE ware (id integer PRIMARY KEY, name varchar(9));
  CREATE VIEW ware_names AS SELECT name FROM ware;`;

describe('missing tables on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES), useOwnPostgresql('SELECT 1'));
});

describeMariadb('missing tables', () => {
  suite(useOwnMariadb(TABLES), useOwnMariadb('SELECT 1'));
});

function suite(database: OwnDatabase, empty: OwnDatabase): void {
  const isPostgresql = database.dialect === 'PostgreSQL';
  const folder = makeTemporaryDirectory();
  const file = join(folder, 'schema.yaml');
  const document = join(folder, 'rows.json');
  const run = (words: readonly string[]) =>
    runCommand([...words, '--schema', file], { DATABASE_URL: empty.url });
  beforeAll(async () => {
    await runCommand(['introspect', database.url, '--output', file]);
    const rows = [{ id: 1, name: 'a' }];
    writeFileSync(document, JSON.stringify({ entities: [{ entity: 'Ware', rows }] }));
  });

  test.each([
    ['export', []],
    ['export', [join(folder, 'exported.json')]],
    ['import', [document]],
    ['query', ['Ware.count()']],
    ['query', ['Ware', '--format', 'table']],
    ['query', ['Ware', '--format', 'ndjson']],
    ['query', ['Ware.insert()', '--data', '{"id": 1}']],
  ])('%s %j names the missing table in one line, without a stack', async (command, words) => {
    const { code, stdout, stderr } = await run([command, ...words]);
    const said = isPostgresql
      ? /^rowgate: The database does not match the schema: .* The database says: relation "ware" does not exist\.\n$/
      : /^rowgate: The database does not match the schema: .* The database says: Table '\w+\.ware' doesn't exist\.\n$/;
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(said)]);
  });

  test('push and diff say that a view has to be created by hand', async () => {
    const script = await run(['push', '--dry-run']);
    expect(script.stdout).toContain('\n-- default: no view ware_names: ');
    const pushed = await run(['push']);
    expect([pushed.code, pushed.stdout.trim().split('\n')]).toEqual([
      0,
      [
        'default: create table ware',
        'default: no view ware_names: the entity WareNames is read-only, so push does not create it',
      ],
    ]);
    const differing = await run(['diff']);
    const right = isPostgresql ? '' : ', or the user has no right to it';
    expect([differing.code, differing.stdout]).toEqual([
      1,
      `default: WareNames: The view ware_names does not exist${right}. push does not create it, because the entity is read-only.\n`,
    ]);
    await empty.run('CREATE VIEW ware_names AS SELECT name FROM ware');
    expect(await run(['push'])).toMatchObject({ code: 0, stdout: 'default: nothing to do\n' });
    expect(await run(['diff'])).toMatchObject({ code: 0, stdout: 'No differences.\n' });
  });
}
