/** A partial export of entities whose values Rowgate computes after it has read the rows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, type Program, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = `CREATE TABLE visit (at integer, name varchar(9));
  INSERT INTO visit VALUES (2, 'b'), (1, 'a');
  CREATE TABLE badge (code varchar(9) UNIQUE, number integer);
  INSERT INTO badge VALUES ('a', 2), ('b', 1);
  CREATE TABLE note (body varchar(9));
  INSERT INTO note VALUES ('a');`;

const shouted = (name: string) => ({ name, length: 9, readValue: `upper(${name})` });

const domain = {
  entities: [
    { name: 'visit', properties: [{ name: 'at', type: 'integer' }, shouted('name')] },
    {
      name: 'badge',
      uniqueKey: ['code'],
      properties: [shouted('code'), { name: 'number', type: 'integer' }],
    },
    { name: 'hidden', properties: [{ name: 'id' }] },
    { name: 'note', properties: [shouted('body')] },
  ],
};

const views = [
  { name: 'default' },
  { name: 'partial', entities: [{ name: 'hidden', exclude: true }] },
];

describe('on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES));
});

describeMariadb('partial exports', () => {
  suite(useOwnMariadb(TABLES));
});

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    const sources = [{ name: 'default', dialect: database.dialect }];
    const infrastructure = { sources, views };
    const file = join(makeTemporaryDirectory(), 'schema.json');
    writeFileSync(file, JSON.stringify({ domain, infrastructure }));
    program = await startProgram(['--schema', file, '--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('an entity is sorted by values that the database knows', async () => {
    const exported = await ask(program, '/stages/default/export?view=partial');
    expect(exported.json()).toEqual({
      entities: [
        {
          entity: 'visit',
          rows: [
            { at: 1, name: 'A' },
            { at: 2, name: 'B' },
          ],
        },
        {
          entity: 'badge',
          rows: [
            { code: 'B', number: 1 },
            { code: 'A', number: 2 },
          ],
        },
        { entity: 'note', rows: [{ body: 'A' }] },
      ],
    });
  });
}
