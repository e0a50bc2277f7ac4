/** A write is answered with the stored row, even if the entity has binary data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = {
  PostgreSQL: `
    CREATE TABLE photo (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), size decimal(5,1), bytes bytea, pages integer DEFAULT 1 + 1);
    CREATE TABLE label (id integer PRIMARY KEY, photo_id uuid NOT NULL REFERENCES photo (id));
    CREATE TABLE session (token bytea PRIMARY KEY, number integer);`,
  MariaDB: `
    CREATE TABLE photo (id uuid PRIMARY KEY DEFAULT uuid(), size decimal(5,1), bytes longblob, pages integer DEFAULT (1 + 1));
    CREATE TABLE label (id integer PRIMARY KEY, photo_id uuid NOT NULL, FOREIGN KEY (photo_id) REFERENCES photo (id));
    CREATE TABLE session (token binary(4) PRIMARY KEY, number integer);`,
};
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function stored(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const send = async (query: string, data: unknown) => {
    const answer = await post(program, '/execute', { query, data: JSON.stringify(data) });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json();
  };

  test('an insert answers generated keys, defaults and rounded numbers', async () => {
    const row = (await send('Photo.insert()', { size: '1.26', bytes: 'AAEC/w==' })) as {
      id: string;
    };
    expect(row).toEqual({
      id: expect.stringMatching(UUID),
      size: 1.3,
      bytes: 'AAEC/w==',
      pages: 2,
    });
    expect(await rowsOf(program, 'Photo.filter(p=>p.id==id)', { id: row.id })).toEqual([row]);
    const without = await send('Photo.insert()', { size: 2 });
    expect(without).toEqual({ id: expect.stringMatching(UUID), size: 2, bytes: null, pages: 2 });
  });

  test('a bulk insert, an upsert and children use the generated keys', async () => {
    const rows = await send('Photo.bulkInsert()', [{ size: 3 }, { size: 4, bytes: 'AQ==' }]);
    expect(rows).toMatchObject([
      { id: expect.stringMatching(UUID) },
      { id: expect.stringMatching(UUID) },
    ]);
    expect(await send('Photo.upsert()', { size: 5 })).toMatchObject({
      id: expect.stringMatching(UUID),
      pages: 2,
    });
    const parent = (await send('Photo.insert().include(p=>p.labels)', {
      size: 6,
      bytes: 'Ag==',
      labels: [{ id: 1 }],
    })) as { id: string };
    expect(await rowsOf(program, 'Label')).toEqual([{ id: 1, photoId: parent.id }]);
  });

  test('a stage is exported and imported with a binary primary key', async () => {
    const rows = [
      { token: 'AAEC/w==', number: 1 },
      { token: '/wAAAQ==', number: 2 },
    ];
    await send('Session.bulkInsert()', rows);
    const exported = await ask(program, '/stages/default/export');
    expect(exported.status).toBe(200);
    expect(exported.json()).toMatchObject({
      entities: expect.arrayContaining([{ entity: 'Session', rows }]),
    });
    await send('Session.deleteAll()', {});
    const document = { entities: [{ entity: 'Session', rows }] };
    expect((await post(program, '/stages/default/import', document)).status).toBe(200);
    expect(await rowsOf(program, 'Session.sort(p=>p.number)')).toEqual(rows);
  });
}

describe('on PostgreSQL', () => {
  stored(useOwnPostgresql(tables.PostgreSQL));
});

describeMariadb('rows with binary data', () => {
  stored(useOwnMariadb(tables.MariaDB));
});
