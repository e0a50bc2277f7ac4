/** Tables and columns of PostgreSQL that the user may not read are left out, because each query of them would fail. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

describe('a user who may not read everything', () => {
  const role = `reader_${process.pid}`;
  const database = useOwnPostgresql(`
    CREATE TABLE team (id integer PRIMARY KEY, name text);
    CREATE TABLE person (id integer PRIMARY KEY, name text, salary numeric NOT NULL, team_id integer REFERENCES team,
      manager_id integer REFERENCES person);
    CREATE TABLE secret (id integer PRIMARY KEY);
    INSERT INTO team VALUES (1, 'A');
    INSERT INTO person VALUES (1, 'Ann', 10, 1, NULL);
    CREATE ROLE ${role} LOGIN;
    GRANT SELECT (id, name, team_id) ON person TO ${role};
    GRANT SELECT ON team TO ${role};`);
  const url = () => database.url.replace(/\/\/[^@]*@/, `//${role}@`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', url(), '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    await database.run(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test('reads the rest', async () => {
    const people = await rowsOf(program, 'Person.include(p=>p.team)');
    const team = { id: 1, name: 'A' };
    expect(people).toEqual([{ id: 1, name: 'Ann', teamId: 1, team }]);
  });

  test('is told what is left out, and why', async () => {
    const { stderr } = await callCommand(['introspect', url()]);
    expect(stderr.trim().split('\n').sort()).toEqual([
      'Not mapped: public.person.manager_id. The user may not read it: grant SELECT.',
      'Not mapped: public.person.person_manager_id_fkey. The foreign key refers to public.person by a column that is not mapped.',
      'Not mapped: public.person.salary. The user may not read it: grant SELECT. It is required, so inserts into the table fail.',
      'Not mapped: public.secret. The user may not read it: grant SELECT.',
    ]);
  });

  test('finds no differences from what introspect has written', async () => {
    const file = join(makeTemporaryDirectory(), 'schema.yaml');
    await callCommand(['introspect', url(), '--output', file]);
    const { code, stdout } = await callCommand(['diff', '--schema', file], { DATABASE_URL: url() });
    expect([code, stdout.trim().split('\n')]).toEqual([
      0,
      [
        'note: default: Person: The column salary is not mapped: the user may not read it. It is required, so inserts fail.',
        'note: default: Person: The column manager_id is not mapped: the user may not read it.',
        'note: default: secret: The table is not mapped.',
      ],
    ]);
  });

  test('is told what to do if nothing is left', async () => {
    await database.run(`CREATE SCHEMA other; CREATE TABLE other.thing (id integer)`);
    await database.run(`GRANT USAGE ON SCHEMA other TO ${role}`);
    const { code, stderr } = await callCommand(['introspect', url(), '--schemas', 'other']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('The flag --schemas A,B selects other schemas.');
    expect(stderr).toContain('Not mapped: other.thing. The user may not read it: grant SELECT.');
  });
});
