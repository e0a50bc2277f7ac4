/**
 * Errors of a database, and a database that cannot be reached: the client gets the kind of failure, and
 * the log has the database's message.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, startProgram, until } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';
import { refusal } from './served-suite.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { writeShelfSchema } from '../support/shelf-schema.js';

const tables = `CREATE TABLE shelf (id integer PRIMARY KEY, name varchar(20));
  CREATE TABLE vault (id integer PRIMARY KEY, name varchar(20));`;

describe('on PostgreSQL', () => {
  const database = useOwnPostgresql(
    `${tables} CREATE ROLE reader LOGIN PASSWORD 'secret'; GRANT SELECT ON shelf TO reader;`,
  );
  suite(database, 'reader');
});

describeMariadb('what a database refuses', () => {
  const database = useOwnMariadb(tables);
  const reader = `reader${process.pid}`;
  beforeAll(() =>
    database.run(
      `CREATE USER ${reader}@'%' IDENTIFIED BY 'secret'; GRANT SELECT ON shelf TO ${reader}@'%'`,
    ),
  );
  afterAll(() => database.run(`DROP USER ${reader}@'%'`));
  suite(database, reader);
});

function suite(database: OwnDatabase, reader: string): void {
  const folder = makeTemporaryDirectory();
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  async function serve(change: (url: string) => string): Promise<Program> {
    const url = change(database.url);
    const file = writeShelfSchema(folder, database.dialect, url, ['shelf', 'vault']);
    const program = await startProgram(['--schema', file, '--workers', '1']);
    programs.push(program);
    return program;
  }

  const reasons = ({ log }: Program) =>
    log.filter(({ event, cause }) => event === 'request' && cause).map(({ cause }) => cause);

  test.each([
    ['its host is unknown', (url: string) => atHost(url, 'no-such-host.invalid'), /no-such-host/],
    ['the connection was refused', (url: string) => atHost(url, '127.0.0.1:1'), /ECONNREFUSED/],
    [
      'its user or password was refused',
      (url: string) => asUser(url, 'nobody_of_that_name'),
      /nobody_of_that_name/,
    ],
    [
      'the database does not exist, or its user may not use it',
      (url: string) => url.replace(/\/test_\w+/, '/no_such_database'),
      /no_such_database/,
    ],
  ])('%s', async (why, change, logged) => {
    const program = await serve(change);
    expect(await refusal(program, 'shelf')).toEqual({
      status: 503,
      code: 'source-unavailable',
      detail: `The database cannot be reached: ${why}.`,
    });
    await refusal(program, 'shelf');
    await until('both faults are logged', () => reasons(program).length === 2);
    const line = expect.stringMatching(logged);
    expect(reasons(program)).toEqual([line, line]);
  });

  test('operations that the user of the source may not execute are denied, and the log names the permission', async () => {
    const program = await serve((url) => asUser(url, reader));
    expect(await refusal(program, 'shelf')).toMatchObject({ status: 200 });
    const denied = { status: 403, code: 'permission-denied' };
    expect(await refusal(program, 'vault')).toMatchObject(denied);
    expect(await refusal(program, 'shelf.insert()', { id: 1 })).toMatchObject(denied);
    expect(await refusal(program, 'shelf.delete().filter(p=>p.id==1)')).toMatchObject(denied);
    expect(reasons(program)[0]).toMatch(/vault.*: GRANT it to the user of the source/);
    expect(program.log.filter(({ status }) => status === 500)).toEqual([]);
  });
}

/** The URL with another host; a socket path is in the query of the URL. */
function atHost(url: string, host: string): string {
  return url.replace(/@[^/]*\//, `@${host}/`).replace(/\?.*$/, '');
}

function asUser(url: string, user: string): string {
  return url.replace(/\/\/[^@]*@/, `//${user}:secret@`);
}
