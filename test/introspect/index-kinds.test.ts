/** Only B-tree indexes are drafted, because push creates no others; all kinds count as existing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

function suite(database: OwnDatabase): void {
  const file = join(makeTemporaryDirectory(), 'schema.yaml');
  const push = async () => {
    const environment = { DATABASE_URL: database.url };
    return (await callCommand(['push', '--dry-run', '--schema', file], environment)).stdout;
  };

  test('a draft has the B-tree indexes', async () => {
    const { stdout } = await callCommand(['introspect', database.url]);
    const drafted = [...stdout.matchAll(/fields: \[ (\w+) \]/g)].map(([, name]) => name);
    expect(drafted).toEqual(['number']);
    writeFileSync(file, stdout);
    expect(await push()).toContain('nothing to do');
  });

  test('push creates no index where there is one of another kind', async () => {
    const property = (name: string) => ({ name, length: 'max' });
    const note = {
      name: 'note',
      primaryKey: ['id'],
      indexes: [{ name: 'titles', fields: ['title'] }],
      properties: [{ name: 'id', type: 'integer', required: true }, property('title')],
    };
    const source = { name: 'main', dialect: database.dialect, connection: database.url };
    const infrastructure = { sources: [source] };
    writeFileSync(file, JSON.stringify({ domain: { entities: [note] }, infrastructure }));
    expect(await push()).toContain('nothing to do');
  });
}

describe('indexes of PostgreSQL', () => {
  suite(
    useOwnPostgresql(`
      CREATE TABLE note (id integer PRIMARY KEY, number integer, title text, data jsonb, code text);
      CREATE INDEX numbers ON note (number);
      CREATE INDEX titles ON note USING hash (title);
      CREATE INDEX parts ON note USING gin (data);
      CREATE INDEX codes ON note USING brin (code)`),
  );
});

describeMariadb('indexes', () => {
  suite(
    useOwnMariadb(`
      CREATE TABLE note (id integer PRIMARY KEY, number integer, title longtext, code text, mail text,
        INDEX numbers (number), INDEX titles (title(20)), FULLTEXT codes (code), UNIQUE mails (mail))`),
  );
});
