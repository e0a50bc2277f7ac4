/** An export contains the parts whose key has another text than that of their parent, which the database considers equal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = (type: string) => `
  CREATE TABLE film (code ${type} PRIMARY KEY);
  CREATE TABLE scene (id integer PRIMARY KEY, film ${type} NOT NULL, FOREIGN KEY (film) REFERENCES film (code));
  INSERT INTO film VALUES ('AB'), ('CD');
  INSERT INTO scene VALUES (1, 'AB'), (2, 'ab'), (3, 'CD');`;

const scenes = { name: 'scenes', type: 'manyToOne', from: 'code', entity: 'scene', to: 'film' };
const entities = [
  {
    name: 'film',
    primaryKey: ['code'],
    properties: [{ name: 'code', length: 20, required: true }],
    relations: [{ ...scenes, composite: true }],
  },
  {
    name: 'scene',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'film', length: 20, required: true },
    ],
  },
];

function suite(database: OwnDatabase): void {
  test('and an import stores them', async () => {
    const file = join(makeTemporaryDirectory(), 'schema.json');
    const sources = [{ name: 'main', dialect: database.dialect, connection: database.url }];
    writeFileSync(file, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
    const rows = () => database.texts('SELECT film FROM scene ORDER BY id');
    const before = await rows();
    const program = await startProgram(['--schema', file, '--workers', '1']);
    try {
      const exported = await ask(program, '/stages/default/export');
      await database.run('DELETE FROM scene');
      await database.run('DELETE FROM film');
      const imported = await post(program, '/stages/default/import', exported.text);
      expect(imported.status, imported.text).toBe(200);
    } finally {
      await program.stop();
    }
    expect(await rows()).toEqual(before);
  });
}

describe('parts by a citext', () => {
  suite(useOwnPostgresql(`CREATE EXTENSION citext; ${tables('citext')}`));
});

describeMariadb('parts by a text whose case is ignored', () => {
  suite(useOwnMariadb(tables('varchar(20) COLLATE utf8mb4_general_ci')));
});
