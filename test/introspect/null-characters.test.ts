/** Strings with U+0000, which MariaDB and MySQL store and PHP writes into serialized objects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { refusal } from './served-suite.js';
import { useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = 'CREATE TABLE action (id integer PRIMARY KEY, schedule text NOT NULL, data json);';
const row = { id: 1, schedule: 'O:1:"x":1:{s:4:"\0*\0t";i:1;}😀', data: { a: ['x\0y'], '\0': 1 } };

describeMariadb('strings with U+0000', () => {
  const database = useOwnMariadb(
    `${tables} INSERT INTO action VALUES (1, 'O:1:"x":1:{s:4:"\\0*\\0t";i:1;}😀', '{"a": ["x\\\\u0000y"], "\\\\u0000": 1}');`,
  );
  const empty = useOwnMariadb(tables);
  const postgresql = useOwnPostgresql(tables);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  /** Imports a document into other tables; returns the answer and the rows. */
  async function imported(url: string, document: string) {
    const other = await startProgram(['--url', url, '--workers', '1']);
    try {
      const { status, text } = await post(other, '/stages/default/import', document);
      return { status, text, rows: await rowsOf(other, 'Action') };
    } finally {
      await other.stop();
    }
  }

  test('are exported and imported', async () => {
    expect(await rowsOf(program, 'Action')).toEqual([row]);
    const exported = await ask(program, '/stages/default/export');
    expect(await imported(empty.url, exported.text)).toMatchObject({ status: 200, rows: [row] });
  });

  test('are refused by an import into PostgreSQL, with their place', async () => {
    for (const [name, other] of Object.entries({
      schedule: { data: null },
      data: { schedule: 'x' },
    })) {
      const document = { entities: [{ entity: 'Action', rows: [{ ...row, ...other }] }] };
      const answer = await imported(postgresql.url, JSON.stringify(document));
      const place = expect.stringContaining(`entities[0].rows[0].${name}`);
      expect(answer).toMatchObject({ status: 400, text: place, rows: [] });
    }
  });

  test('are refused with half a surrogate pair', async () => {
    const rows = String.raw`[{"id": 2, "schedule": "\u0000\ud800"}]`;
    const answer = await post(
      program,
      '/stages/default/import',
      `{"entities":[{"entity":"Action","rows":${rows}}]}`,
    );
    expect(answer.status).toBe(400);
  });

  test('are refused by other writes', async () => {
    for (const other of [{ data: null }, { schedule: 'x' }]) {
      const refused = await refusal(program, 'Action.insert()', { ...row, id: 3, ...other });
      expect(refused).toMatchObject({ status: 400, code: 'parameter-type' });
    }
  });
});
