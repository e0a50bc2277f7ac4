/** Errors that a database reports about a row or a column use the names of the schema. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';
import { refusal } from './served-suite.js';

const TABLES = `CREATE TABLE part (id integer PRIMARY KEY, quantity integer, size integer, born date,
    CONSTRAINT quantity_positive CHECK (quantity > 0));
  CREATE TABLE stock (id integer PRIMARY KEY, place varchar(20), note varchar(20));`;

describe('on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES));

  const database = useOwnPostgresql(`
    CREATE DOMAIN positive AS integer CONSTRAINT above_zero CHECK (VALUE > 0);
    CREATE TABLE shelf (id positive PRIMARY KEY, width positive);
    CREATE TABLE book (id integer PRIMARY KEY, shelf_id positive REFERENCES shelf (id));`);

  test('a violated condition of a domain is named', async () => {
    const program = await startProgram(['--url', database.url, '--workers', '1']);
    try {
      const refused = {
        status: 422,
        code: 'check-violation',
        detail: "A row of entity Shelf does not meet the condition 'above_zero' of the database.",
      };
      expect(await refusal(program, 'Shelf.insert()', { id: 1, width: 0 })).toEqual(refused);
      expect(await refusal(program, 'Shelf.bulkInsert()', [{ id: 1, width: -1 }])).toEqual(refused);
      await rowsOf(program, 'Shelf.insert()', { id: 1 });
      expect(await refusal(program, 'Shelf.update()', { id: 1, width: 0 })).toEqual(refused);
      const update = 'Shelf.updateAll({width: width})';
      expect(await refusal(program, update, { width: 0 })).toEqual(refused);
      const rows = { entities: [{ entity: 'Shelf', rows: [{ id: 2, width: 0 }] }] };
      const imported = await post(program, '/stages/default/import', rows);
      expect(imported.json()).toMatchObject({
        status: 422,
        code: 'check-violation',
        place: 'entities[0].rows[0].width',
      });
      // The value may belong to either entity.
      const nested = { id: 2, width: 0, books: [{ id: 1 }] };
      expect(await refusal(program, 'Shelf.insert().include(p=>p.books)', nested)).toEqual({
        ...refused,
        detail: 'A value does not meet a condition of the database.',
      });
    } finally {
      await program.stop();
    }
  });
});

describeMariadb('faults of rows', () => {
  suite(useOwnMariadb(TABLES));
});

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    ['Part.insert()', { id: 1, quantity: 0 }],
    [
      'Part.bulkInsert()',
      [
        { id: 2, quantity: 1 },
        { id: 3, quantity: -1 },
      ],
    ],
  ])('%s: a violated condition is named', async (query, data) => {
    expect(await refusal(program, query, data)).toEqual({
      status: 422,
      code: 'check-violation',
      detail:
        "A row of entity Part does not meet the condition 'quantity_positive' of the database.",
    });
  });

  test.each([
    ['2024-02-30', '2024-02-30'],
    ['2023-02-29T10:00:00Z', '2023-02-29'],
    ['2024-13-01', '2024-13-01'],
  ])('the day %s does not exist', async (born, day) => {
    const read = 'Part.filter(p=>p.born==day)';
    expect(await refusal(program, read, { day: born })).toMatchObject({
      status: 400,
      detail: `Parameter 'day' takes an ISO 8601 date (YYYY-MM-DD), but ${day} does not exist.`,
    });
    expect(await refusal(program, 'Part.insert()', { id: 9, born })).toMatchObject({
      status: 400,
      detail: `'born' takes an ISO 8601 date (YYYY-MM-DD), but ${day} does not exist.`,
    });
    expect(await refusal(program, `Part.filter(p=>p.born=="${born}")`)).toMatchObject({
      status: 400,
      detail: `'${born}' is not an ISO 8601 date: ${day} does not exist.`,
    });
  });

  test('a missing column is named', async () => {
    await database.run('ALTER TABLE stock DROP COLUMN note');
    const gone = {
      status: 500,
      code: 'schema-mismatch',
      detail: 'The database does not match the schema: there is no column note.',
    };
    expect(await refusal(program, 'Stock')).toEqual(gone);
    expect(await refusal(program, 'Stock.insert()', { id: 1, note: 'x' })).toEqual(gone);
    const update = 'Stock.update({note: note}).filter(p=>p.id==1)';
    expect(await refusal(program, update, { note: 'x' })).toEqual(gone);
  });
}
