/** Values that a database cannot store, or would store without reading them, are refused before it gets them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

describe('on PostgreSQL', () => {
  const { served } = suite(useOwnPostgresql('SELECT 1'));

  test('years before 1 are stored', async () => {
    const row = { id: 5, at: '0000-01-01T00:00:00.000Z', day: '0000-01-01' };
    await rowsOf(served(), 'Bag.insert()', row);
    expect(await rowsOf(served(), 'Bag.filter(p=>p.id==5).map(p=>p.at)')).toEqual([
      { at: '0000-01-01T00:00:00.000Z' },
    ]);
  });
});

describeMariadb('values that cannot be stored', () => {
  const { refusals } = suite(useOwnMariadb('SELECT 1'));

  test.each([
    ['at', '0000-01-01'],
    ['at', '0001-01-01T00:00:00+01:00'],
    ['at', '-000043-03-15T00:00:00Z'],
    ['at', '9999-12-31T23:59:59-01:00'],
    ['day', '0000-12-31'],
    ['ats', ['2024-01-01', '0001-01-01T00:00:00+01:00']],
  ])('a year outside of 1 to 9999 is refused in %s: %s', async (name, value) => {
    for (const refusal of await refusals(name, value)) {
      expect(refusal).toMatchObject({ status: 400, code: 'value-out-of-range' });
    }
  });
});

function suite(database: OwnDatabase) {
  let program: Program;
  beforeAll(async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    writeFileSync(file, JSON.stringify(schemaOf(database)));
    const pushed = await callCommand(['push', '--schema', file]);
    expect([pushed.code, pushed.stderr]).toEqual([0, '']);
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(() => program.stop());

  /** The refusals of every kind of write, each with the place of the value. */
  async function refusals(name: string, value: unknown) {
    const row = { id: 1, [name]: value };
    const writes: readonly (readonly [string, unknown, string])[] = [
      ['Bag.insert()', row, 'data'],
      ['Bag.bulkInsert()', [{ id: 2 }, row], 'data[1]'],
      ['Bag.upsert()', row, 'data'],
      ['Bag.update()', row, 'data'],
      [`Bag.update({${name}: ${name}}).filter(p=>p.id==1)`, { [name]: value }, 'data'],
    ];
    const problems: unknown[] = [];
    for (const [query, data, place] of writes) {
      const problem = (await post(program, '/execute', { query, data })).json();
      expect([query, problem]).toEqual([
        query,
        expect.objectContaining({ place: `${place}.${name}` }),
      ]);
      problems.push(problem);
    }
    const imported = await post(program, '/stages/default/import', {
      entities: [{ entity: 'Bag', rows: [row] }],
    });
    expect(imported.json()).toMatchObject({ place: `entities[0].rows[0].${name}` });
    expect(await rowsOf(program, 'Bag.filter(p=>p.id<5)')).toEqual([]);
    return [...problems, imported.json()];
  }

  test.each([
    ['net', '300.1.1.1'],
    ['net', '1.2.3'],
    ['span', 'x'],
    ['note', '\ud800'],
    ['note', { a: ['\ud800'] }],
  ])('%s cannot be %j', async (name, value) => {
    for (const refusal of await refusals(name, value)) {
      expect(refusal).toMatchObject({ status: 400, code: 'parameter-type' });
    }
  });

  return { refusals, served: () => program };
}

function schemaOf({ dialect, url }: OwnDatabase) {
  const types = {
    at: 'dateTime',
    day: 'date',
    ats: 'dateTime[]',
    note: 'json',
    net: 'inet',
    span: 'interval',
  };
  const others = Object.entries(types).map(([name, type]) => ({ name, type }));
  const properties = [{ name: 'id', type: 'integer' }, ...others];
  return {
    domain: { entities: [{ name: 'Bag', primaryKey: ['id'], properties }] },
    infrastructure: { sources: [{ name: 'default', dialect, connection: url }] },
  };
}
