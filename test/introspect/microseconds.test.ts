/** Values with microseconds are answered as they are stored, and the answered value finds its row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';

function sqlOf(moment: string, time: string): string {
  return `CREATE TABLE event (id integer PRIMARY KEY, at ${moment}, clock ${time});
    INSERT INTO event VALUES (1, '2024-02-29 23:59:59.123456', '12:34:56.000001'),
      (2, '2024-02-29 23:59:59.12', '12:34:56.5'), (3, '2024-02-29 23:59:59', '12:34:56');`;
}

const postgresql = sqlOf('timestamptz', 'time');
const mariadb = sqlOf('DATETIME(6)', 'TIME(6)');

const rows = [
  { id: 1, at: '2024-02-29T23:59:59.123456Z', clock: '12:34:56.000001' },
  { id: 2, at: '2024-02-29T23:59:59.120Z', clock: '12:34:56.500' },
  { id: 3, at: '2024-02-29T23:59:59.000Z', clock: '12:34:56' },
];

describe('microseconds on PostgreSQL', () => {
  suite(useOwnPostgresql(postgresql), useOwnPostgresql(withoutRows(postgresql)));
});

describeMariadb('microseconds', () => {
  suite(useOwnMariadb(mariadb), useOwnMariadb(withoutRows(mariadb)));
});

function suite(database: OwnDatabase, empty: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('are returned if there are any', async () => {
    expect(await rowsOf(program, 'Event.sort(p=>p.id)')).toEqual(rows);
  });

  test.each(rows)('a value that was read finds its row: $at, $clock', async ({ id, at, clock }) => {
    const found = 'Event.filter(p=>p.at==at && p.clock==clock).map(p=>p.id)';
    expect(await rowsOf(program, found, { at, clock })).toEqual([{ id }]);
  });

  test('are written, exported and imported', async () => {
    const exported = await ask(program, '/stages/default/export');
    const other = await startProgram(['--url', empty.url, '--workers', '1']);
    try {
      expect((await post(other, '/stages/default/import', exported.text)).status).toBe(200);
      expect(await rowsOf(other, 'Event.sort(p=>p.id)')).toEqual(rows);
      const more = { id: 4, at: '2020-01-01T00:00:00.000007Z', clock: '00:00:00.000008' };
      expect(await rowsOf(other, 'Event.insert()', more)).toEqual(more);
    } finally {
      await other.stop();
    }
  });
}
