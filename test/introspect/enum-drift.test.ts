/** Enumerated types whose values have changed since the schema file was written. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const sqlOf = (mood: string) =>
  `CREATE TABLE thing (id integer PRIMARY KEY, mood ${mood}); CREATE VIEW seen AS SELECT * FROM thing;`;

describe('a changed enum on PostgreSQL', () => {
  const database = useOwnPostgresql(`CREATE TYPE mood AS ENUM ('sad', 'ok'); ${sqlOf('mood')}`);
  suite(
    database,
    ['Mood', 'Mood'],
    "ALTER TYPE mood RENAME VALUE 'ok' TO 'fine'; ALTER TYPE mood ADD VALUE 'new'",
  );
});

describeMariadb('a changed enum', () => {
  const database = useOwnMariadb(sqlOf("ENUM('sad', 'ok')"));
  suite(
    database,
    ['ThingMood', 'SeenMood'],
    "ALTER TABLE thing MODIFY mood ENUM('sad', 'fine', 'new')",
  );
});

function suite(
  database: OwnDatabase,
  [thing, seen]: readonly [string, string],
  change: string,
): void {
  test('is reported: what the column lacks, and as a note what the schema lacks', async () => {
    const file = join(makeTemporaryDirectory(), 'schema.yaml');
    await callCommand(['introspect', database.url, '--output', file]);
    for (const sql of change.split(';')) await database.run(sql);
    const environment = { DATABASE_URL: database.url };
    const { code, stdout } = await callCommand(['diff', '--schema', file], environment);
    expect([code, stdout.trim().split('\n')]).toEqual([
      1,
      [
        'default: Seen.mood: The column has no value ok.',
        'default: Thing.mood: The column has no value ok.',
        `note: default: Seen.mood: The enum ${seen} does not have fine, new of the column.`,
        `note: default: Thing.mood: The enum ${thing} does not have fine, new of the column.`,
      ],
    ]);
  });
}
