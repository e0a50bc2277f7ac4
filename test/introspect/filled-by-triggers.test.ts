/** A required column that Rowgate does not map may be filled in by a trigger. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

describe('on PostgreSQL, a required column that a trigger fills in', () => {
  suite(
    useOwnPostgresql(`
      CREATE TABLE film (id integer PRIMARY KEY, title text NOT NULL, words tsvector NOT NULL);
      CREATE TRIGGER film_words BEFORE INSERT OR UPDATE ON film
        FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('words', 'pg_catalog.english', 'title');
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TABLE store (id integer PRIMARY KEY, words tsvector NOT NULL);
      CREATE TRIGGER store_log AFTER INSERT ON store FOR EACH ROW EXECUTE FUNCTION nothing();`),
    'tsvector',
  );
});

describeMariadb('a required column that a trigger fills in', () => {
  suite(
    useOwnMariadb(`
      CREATE TABLE film (id integer PRIMARY KEY, title text NOT NULL, words point NOT NULL);
      CREATE TRIGGER film_words BEFORE INSERT ON film FOR EACH ROW SET NEW.words = POINT(1, 2);
      CREATE TABLE store (id integer PRIMARY KEY, words point NOT NULL);
      CREATE TRIGGER store_log AFTER INSERT ON store FOR EACH ROW SET @stored = 1;`),
    'point',
  );
});

function suite(database: OwnDatabase, type: string): void {
  const file = join(makeTemporaryDirectory(), 'schema.yaml');
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('does not prevent an insert', async () => {
    const row = { id: 1, title: 'Dawn' };
    expect(await rowsOf(program, 'Film.insert()', row)).toEqual(row);
  });

  test('is noted by introspect and diff, but is no difference', async () => {
    const { stdout, stderr } = await callCommand(['introspect', database.url]);
    const fail = 'It is required, so inserts into the table fail';
    expect(stderr).toContain(
      `film.words. The type ${type} is not supported. ${fail} unless a trigger fills it in.`,
    );
    expect(stderr).toContain(`store.words. The type ${type} is not supported. ${fail}.`);
    writeFileSync(file, stdout);
    const found = await callCommand(['diff', '--schema', file], { DATABASE_URL: database.url });
    expect(found.stdout.trim().split('\n')).toEqual([
      `note: default: Film: The column words is not mapped: the type ${type} is not supported.`,
      `note: default: Store: The column words is not mapped: the type ${type} is not supported. It is required, so inserts fail.`,
    ]);
    expect(found.code).toBe(0);
  });
}
