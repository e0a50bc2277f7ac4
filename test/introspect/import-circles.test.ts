/** Imports into tables of PostgreSQL that refer to each other by keys that are not deferrable. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

const tables = `
  CREATE TABLE shop (id integer PRIMARY KEY, manager_id integer NOT NULL, kind text NOT NULL DEFAULT 'small');
  CREATE TABLE staff (id integer PRIMARY KEY, shop_id integer NOT NULL REFERENCES shop (id),
    mentor_id integer REFERENCES staff (id), region_id integer REFERENCES region (id));
  CREATE TABLE customer (id integer PRIMARY KEY, shop_id integer NOT NULL REFERENCES shop (id));
  ALTER TABLE shop ADD FOREIGN KEY (manager_id) REFERENCES staff (id);
  CREATE FUNCTION no_thirteen() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN IF NEW.id = 13 THEN RETURN NULL; END IF; RETURN NEW; END';
  CREATE TRIGGER no_thirteen BEFORE INSERT ON staff FOR EACH ROW EXECUTE FUNCTION no_thirteen()`;
const region = 'CREATE TABLE region (id integer PRIMARY KEY);';
const rows = `
  INSERT INTO region VALUES (1), (2);
  WITH shops AS (INSERT INTO shop VALUES (1, 1, 'large'), (2, 3, 'small'))
  INSERT INTO staff VALUES (1, 1, 2, NULL), (2, 1, NULL, 2), (3, 2, 3, 1);
  INSERT INTO customer VALUES (1, 2)`;

describe('on PostgreSQL, an import into tables that refer to each other', () => {
  const database = useOwnPostgresql(`${region}${tables}`);
  const full = useOwnPostgresql(`${region}${tables};${rows}`);
  let program: Program;
  beforeEach(async () => {
    await database.run('TRUNCATE shop, staff, customer, region');
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterEach(() => program.stop());

  const imported = (document: unknown) =>
    post(
      program,
      '/stages/default/import',
      typeof document === 'string' ? document : JSON.stringify(document),
    );

  test('stores what was exported', async () => {
    const other = await startProgram(['--url', full.url, '--workers', '1']);
    const exported = await ask(other, '/stages/default/export');
    await other.stop();
    const answer = await imported(exported.text);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    expect((await ask(program, '/stages/default/export')).json()).toEqual(exported.json());
  });

  test('counts the stored rows, and uses defaults', async () => {
    const staff = [
      { id: 1, shopId: 1 },
      { id: 13, shopId: 1 },
    ];
    const shops = [
      { id: 1, managerId: 1 },
      { id: 2, managerId: 1, kind: 'large' },
    ];
    const answer = await imported({
      entities: [
        { entity: 'Staff', rows: staff },
        { entity: 'Shop', rows: shops },
      ],
    });
    expect(answer.json()).toEqual({
      imported: [
        { entity: 'Staff', rows: 1 },
        { entity: 'Shop', rows: 2 },
      ],
    });
    expect(await rowsOf(program, 'Shop.sort(p=>p.id).map(p=>p.kind)')).toEqual([
      { kind: 'small' },
      { kind: 'large' },
    ]);
  });

  test('finds the row that refers to a missing one', async () => {
    const answer = await imported({
      entities: [
        { entity: 'Staff', rows: [{ id: 1, shopId: 1 }] },
        {
          entity: 'Shop',
          rows: [
            { id: 1, managerId: 1 },
            { id: 2, managerId: 7 },
          ],
        },
      ],
    });
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'foreign-key-violation',
      place: 'entities[1].rows[1].managerId',
    });
    expect(await rowsOf(program, 'Shop')).toEqual([]);
  });
});
