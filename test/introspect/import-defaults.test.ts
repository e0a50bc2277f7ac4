/** A row of an import that lacks a property gets the default of its column, like a row of a bulkInsert. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

describe('on PostgreSQL', () => {
  suite(
    useOwnPostgresql(`
      CREATE DOMAIN rating AS integer DEFAULT 3;
      CREATE TYPE state AS ENUM ('open', 'done');
      CREATE TABLE ticket (id text PRIMARY KEY DEFAULT gen_random_uuid(), code text NOT NULL DEFAULT md5('x'),
        made timestamp DEFAULT CURRENT_TIMESTAMP, priority numeric(6, 2) DEFAULT 1, note varchar(20),
        rating rating, state state DEFAULT 'open');
      CREATE TABLE box (id serial PRIMARY KEY, name varchar(20));
      CREATE TABLE item (id integer PRIMARY KEY, box_id integer DEFAULT (abs(1) - 2) REFERENCES box (id));
      CREATE TABLE crate (id integer PRIMARY KEY, box_id integer DEFAULT (abs(1) + 899) REFERENCES box (id));
      INSERT INTO box VALUES (-1, 'none');`),
  );
});

describeMariadb('imports of rows without some values', () => {
  suite(
    useOwnMariadb(`
      CREATE TABLE ticket (id varchar(36) PRIMARY KEY DEFAULT uuid(), code varchar(40) NOT NULL DEFAULT md5('x'),
        made datetime DEFAULT CURRENT_TIMESTAMP, priority decimal(6, 2) DEFAULT 1, note varchar(20),
        rating integer DEFAULT 3, state enum ('open', 'done') DEFAULT 'open');
      CREATE TABLE box (id integer AUTO_INCREMENT PRIMARY KEY, name varchar(20));
      CREATE TABLE item (id integer PRIMARY KEY, box_id integer DEFAULT (abs(1) - 2), FOREIGN KEY (box_id) REFERENCES box (id));
      CREATE TABLE crate (id integer PRIMARY KEY, box_id integer DEFAULT (abs(1) + 899), FOREIGN KEY (box_id) REFERENCES box (id));
      INSERT INTO box VALUES (-1, 'none');`),
  );
});

const tickets = [
  { id: 'a', code: 'own', made: '2020-01-01T00:00:00.000Z', priority: 2, rating: 5, state: 'done' },
  { note: 'nothing' },
  { id: 'b', made: null, priority: null, note: 'nulls', rating: null, state: null },
  { id: 'c', note: 'some', rating: 1 },
];

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const stored = 'Ticket.sort(p=>p.note).map(p=>[p.note,p.code,p.priority,p.rating,p.state])';

  test('an import stores what a bulkInsert does', async () => {
    await rowsOf(program, 'Ticket.bulkInsert()', tickets);
    const inserted = await rowsOf(program, stored);
    await rowsOf(program, 'Ticket.deleteAll()');
    const imported = await importRows('Ticket', tickets);
    expect(imported.status, imported.text).toBe(200);
    expect(await rowsOf(program, stored)).toEqual(inserted);
    const code = '9dd4e461268c8034f5c8564e155c67a6';
    expect(new Set(inserted as readonly unknown[])).toEqual(
      new Set([
        { note: null, code: 'own', priority: 2, rating: 5, state: 'done' },
        { note: 'nothing', code, priority: 1, rating: 3, state: 'open' },
        { note: 'nulls', code, priority: null, rating: null, state: null },
        { note: 'some', code, priority: 1, rating: 1, state: 'open' },
      ]),
    );
    const made = 'Ticket.filter(p=>p.made>="2021-01-01").sort(p=>p.note).map(p=>p.note)';
    expect(await rowsOf(program, made)).toEqual([{ note: 'nothing' }, { note: 'some' }]);
    expect(await rowsOf(program, 'Ticket.filter(p=>p.id.len()==36).map(p=>p.note)')).toEqual([
      { note: 'nothing' },
    ]);
  });

  test('nested rows keep the key of their parent', async () => {
    const rows = [{ name: 'new', items: [{ id: 1 }, { id: 2 }] }];
    const items = [{ id: 3 }, { id: 4, boxId: null }, { id: 5, boxId: -1 }];
    const entities = [
      { entity: 'Box', rows },
      { entity: 'Item', rows: items },
    ];
    const imported = await post(program, '/stages/default/import', { entities });
    expect(imported.status, imported.text).toBe(200);
    const boxes = 'Item.sort(p=>p.id).map(p=>{id: p.id, name: p.box.name})';
    expect(await rowsOf(program, boxes)).toEqual([
      { id: 1, name: 'new' },
      { id: 2, name: 'new' },
      { id: 3, name: 'none' },
      { id: 4, name: null },
      { id: 5, name: 'none' },
    ]);
  });

  test.each([[[{ id: 1 }]], [[{ id: 1, boxId: -1 }, { id: 2, boxId: null }, { id: 3 }]]])(
    'a default must not refer to a missing row: %j',
    async (rows) => {
      const imported = await importRows('Crate', rows);
      expect([imported.status, imported.json()]).toMatchObject([
        409,
        { code: 'foreign-key-violation' },
      ]);
      expect(await rowsOf(program, 'Crate')).toEqual([]);
    },
  );

  function importRows(entity: string, rows: readonly object[]) {
    return post(program, '/stages/default/import', { entities: [{ entity, rows }] });
  }
}
