/** `check --connect` names the rights that requests may need and the user of the database lacks. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const role = `limited_${process.pid}`;

describe('on PostgreSQL', () => {
  const database = useOwnPostgresql(`
    CREATE SCHEMA billing;
    CREATE TABLE billing.invoice (id integer PRIMARY KEY);
    CREATE TABLE person (id serial PRIMARY KEY, name text NOT NULL, salary numeric,
      twice integer GENERATED ALWAYS AS (id * 2) STORED);
    CREATE TABLE team (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text);
    CREATE VIEW names AS SELECT name FROM person;
    CREATE ROLE ${role} LOGIN;
    GRANT SELECT (id, name, twice), INSERT, UPDATE (name) ON person TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON team, billing.invoice TO ${role};
    GRANT SELECT ON names TO ${role};`);
  afterAll(() => database.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`));

  test('rights on columns, schemas and sequences', async () => {
    const url = database.url.replace(/\/\/[^@]*@/, `//${role}@`);
    expect(await notesOf(database, url, ['--schemas', 'public,billing'])).toEqual([
      'note: default: Person: The database does not grant its user SELECT (salary), UPDATE (salary), DELETE, USAGE of the sequence of id, UPDATE of the sequence of id.',
      'note: default: Team: The database does not grant its user UPDATE of the sequence of id.',
      'note: default: BillingInvoice: The database does not grant its user USAGE on schema billing.',
    ]);
    expect(await notesOf(database, database.url, ['--schemas', 'public,billing'])).toEqual([]);
  });
});

describeMariadb('missing rights', () => {
  const database = useOwnMariadb(`
    CREATE TABLE person (id integer AUTO_INCREMENT PRIMARY KEY, name varchar(9) NOT NULL, salary integer NOT NULL);
    CREATE TABLE team (id integer PRIMARY KEY, name varchar(9) NOT NULL);
    CREATE TABLE secret (id integer PRIMARY KEY);
    CREATE USER ${role} IDENTIFIED BY 'pw';
    GRANT SELECT (id, name), INSERT, UPDATE (name) ON person TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON team TO ${role};`);
  afterAll(() => database.run(`DROP USER ${role}`));

  test('rights on tables and columns', async () => {
    const url = database.url.replace(/\/\/[^@]*@/, `//${role}:pw@`);
    const notes = await notesOf(database, url, []);
    expect(notes.filter((line) => line.startsWith('note:'))).toEqual([
      'note: default: Person: The database does not grant its user SELECT (salary), UPDATE (salary), DELETE.',
      'note: default: Secret: The database does not grant its user SELECT, INSERT, DELETE.',
    ]);
    expect(notes).toContain(
      'warning: default: Secret: The table secret does not exist, or the user has no right to it.',
    );
    expect(await notesOf(database, database.url, [])).toEqual([]);
  });
});

/** What `check --connect` reports to the user of the address. */
async function notesOf(
  database: OwnDatabase,
  url: string,
  flags: readonly string[],
): Promise<readonly string[]> {
  const file = join(makeTemporaryDirectory(), 'schema.yaml');
  await callCommand(['introspect', database.url, '--output', file, ...flags]);
  const words = ['check', '--connect', '--schema', file];
  const { code, stderr } = await callCommand(words, { DATABASE_URL: url });
  expect(code).toBe(0);
  return stderr.split('\n').filter(Boolean);
}
