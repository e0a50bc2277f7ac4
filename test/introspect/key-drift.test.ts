/** Keys of entities that their tables lack: diff reports them, because upserts need them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = `
  CREATE TABLE coded (id integer PRIMARY KEY, code integer NOT NULL DEFAULT 0, v integer);
  CREATE TABLE keyless (id integer NOT NULL, v integer);
  CREATE TABLE tenanted (tenant integer DEFAULT 0, id integer, v integer, PRIMARY KEY (tenant, id));
  CREATE TABLE swapped (id integer PRIMARY KEY, code integer NOT NULL, v integer NOT NULL, UNIQUE (v, code));
  CREATE VIEW listed AS SELECT id, v FROM keyless;`;

describe('keys on PostgreSQL', () => {
  const database = useOwnPostgresql(`${TABLES}
    CREATE TABLE ranked (id integer PRIMARY KEY, code integer NOT NULL, v integer REFERENCES coded (id));
    ALTER TABLE ranked ADD UNIQUE (code) DEFERRABLE, ADD UNIQUE (v) DEFERRABLE INITIALLY DEFERRED;`);
  suite(database);

  test('a deferrable key is not enough', async () => {
    const why = 'The key of the table for its uniqueKey (code) is deferrable, so upserts fail.';
    expect(await diff(database, [entity('ranked', ['id'], { uniqueKey: ['code'] })])).toEqual([
      `main: ranked: ${why}`,
    ]);
  });

  test('introspect writes no deferrable key as the unique key, but a one-to-one relation over it', async () => {
    const { stdout } = await callCommand(['introspect', database.url]);
    expect(stdout).toMatch(/type: oneToOne,\s+from: v,\s+entity: Coded/);
    expect(stdout).toMatch(/uniqueKey:\s+\[ v, code \]/);
    expect(stdout.match(/uniqueKey/g)).toHaveLength(1);
  });
});

describeMariadb('keys', () => {
  suite(useOwnMariadb(TABLES));
});

function suite(database: OwnDatabase): void {
  test('a key that the table lacks is reported', async () => {
    const entities = [
      entity('coded', ['id'], { uniqueKey: ['code'] }),
      entity('keyless', ['id']),
      entity('tenanted', ['id']),
    ];
    const lacks = 'The table has no key for its';
    const end = 'so upserts fail or add duplicates.';
    expect(await diff(database, entities)).toEqual([
      `main: coded: ${lacks} uniqueKey (code), ${end}`,
      `main: keyless: ${lacks} primaryKey (id), ${end}`,
      `main: tenanted: ${lacks} primaryKey (id), ${end}`,
    ]);
  });

  test('a key in another order, and any unique key as the primary key, are enough', async () => {
    const entities = [
      entity('tenanted', ['id', 'tenant']),
      entity('swapped', ['code', 'v'], { uniqueKey: ['id'] }),
    ];
    expect(await diff(database, entities)).toEqual([]);
  });

  test('what is only read, a view, and a missing column need no key', async () => {
    const entities = [entity('keyless', ['id'], { readOnly: true }), entity('listed', ['id'])];
    const found = await diff(database, entities);
    expect(found.filter((line) => / key /.test(line))).toEqual([]);
    expect(await diff(database, [entity('coded', ['id'], { uniqueKey: ['other'] })])).toEqual([
      'main: coded.other: The table coded has no column other.',
    ]);
  });
}

interface Rest {
  readonly uniqueKey?: readonly string[];
  readonly readOnly?: boolean;
}

/** An entity whose properties are those of its keys. */
function entity(
  name: string,
  primaryKey: readonly string[],
  { readOnly, uniqueKey = [] }: Rest = {},
) {
  const properties = [...new Set([...primaryKey, ...uniqueKey])].map((property) => ({
    name: property,
    type: 'integer',
    required: true,
  }));
  return { name, primaryKey, uniqueKey, properties, ...(readOnly && { readOnly }) };
}

/** The lines of diff, without what is not mapped. */
async function diff(database: OwnDatabase, entities: readonly object[]): Promise<string[]> {
  const path = join(makeTemporaryDirectory(), 'schema.json');
  const sources = [{ name: 'main', dialect: database.dialect, connection: '${DATABASE_URL}' }];
  writeFileSync(path, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
  const { code, stdout, stderr } = await callCommand(['diff', '--schema', path], {
    DATABASE_URL: database.url,
  });
  const lines = `${stdout}${stderr}`.trim().split('\n');
  const found = lines.filter((line) => !line.startsWith('note:') && !line.startsWith('No diff'));
  expect(code).toBe(found.length > 0 ? 1 : 0);
  return found;
}
