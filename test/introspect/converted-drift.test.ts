/** Columns of other types than their properties that fit: those of enums, and those that an expression converts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = `
CREATE TABLE task (id integer PRIMARY KEY, state varchar(6) NOT NULL, phase varchar(4), note varchar(4),
  created bigint, changed bigint, closed bigint);`;

describe('converted columns on PostgreSQL', () => {
  suite(useOwnPostgresql(tables));
});
describeMariadb('converted columns', () => {
  suite(useOwnMariadb(tables));
});

function suite(database: OwnDatabase): void {
  test('only those that do not fit are reported', async () => {
    const domain = {
      enums: [
        { name: 'State', values: ['open', 'closed'].map((value) => ({ name: value, value })) },
      ],
      entities: [
        {
          name: 'Tasks',
          primaryKey: ['id'],
          properties: [
            { name: 'id', type: 'integer', required: true },
            { name: 'state', enum: 'State', required: true, length: 20 },
            { name: 'phase', enum: 'State' },
            { name: 'note', enum: 'State', writeExp: 'concat(note, note)', length: 5 },
            { name: 'created', type: 'dateTime', view: true },
            { name: 'changed', type: 'dateTime' },
            { name: 'closed', type: 'dateTime', view: true },
          ],
        },
      ],
    };
    const read = (name: string) => ({ name, readMappingExp: `millisecondToDate(${name})` });
    const mapped = {
      name: 'Tasks',
      mapping: 'task',
      properties: [read('created'), read('changed')],
    };
    const file = join(makeTemporaryDirectory(), 'schema.json');
    const sources = [{ name: 'main', dialect: database.dialect, connection: '${DATABASE_URL}' }];
    const infrastructure = { mappings: [{ name: 'default', entities: [mapped] }], sources };
    writeFileSync(file, JSON.stringify({ domain, infrastructure }));
    const different = await callCommand(['diff', '--schema', file], { DATABASE_URL: database.url });
    const bigint = database.dialect === 'PostgreSQL' ? 'bigint' : 'bigint(20)';
    const fault = `Its type is dateTime, but that of the column is ${bigint}`;
    expect(different.stdout.trimEnd().split('\n')).toEqual([
      'main: Tasks.phase: Its strings have up to 6 characters, but the column holds only 4.',
      'main: Tasks.note: Its strings have up to 5 characters, but the column holds only 4.',
      `main: Tasks.changed: ${fault}, so writes fail: mark it with 'view: true' if it is only read.`,
      `main: Tasks.closed: ${fault}.`,
    ]);
  });
}
