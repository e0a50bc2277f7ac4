/** A string may have an enum of numbers: it contains their texts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';
import { refusal } from './served-suite.js';

const TABLES = `CREATE TABLE ticket (id integer PRIMARY KEY, state varchar(9));
  INSERT INTO ticket VALUES (1, '1'), (2, '2.5');`;

const domain = {
  enums: [
    {
      name: 'State',
      values: [
        { name: 'open', value: 1 },
        { name: 'half', value: 2.5 },
      ],
    },
  ],
  entities: [
    {
      name: 'ticket',
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        { name: 'state', enum: 'State' },
      ],
    },
  ],
};

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    const sources = [{ name: 'default', dialect: database.dialect, connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain, infrastructure: { sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('its texts are written and compared', async () => {
    const written = { id: 3, state: '1' };
    expect(await rowsOf(program, 'ticket.insert()', written)).toEqual(written);
    const query = 'ticket.filter(p=>p.state==state || p.state=="2.5").sort(p=>p.id).map(p=>p.id)';
    expect(await rowsOf(program, query, { state: '1' })).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('other texts are refused', async () => {
    expect(await refusal(program, 'ticket.insert()', { id: 4, state: 'open' })).toEqual({
      status: 422,
      code: 'constraint-unmet',
      detail: 'Must be a value of its enum property state in entity ticket.',
    });
    const read = 'ticket.filter(p=>p.state==state)';
    expect(await refusal(program, read, { state: 'open' })).toMatchObject({
      status: 400,
      detail: "Parameter 'state' takes a value of the enum State: '1', '2.5'.",
    });
  });
}

describe('on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES));
});

describeMariadb('enums of numbers', () => {
  suite(useOwnMariadb(TABLES));
});
