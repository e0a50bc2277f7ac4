/** Foreign keys of PostgreSQL whose rows were not checked: rows that refer to nothing are answered, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';

describe('foreign keys that are not valid', () => {
  const database = useOwnPostgresql(`
    CREATE TABLE studio (id integer PRIMARY KEY, name varchar(20));
    CREATE TABLE film (id integer PRIMARY KEY, studio_id integer NOT NULL);
    INSERT INTO studio VALUES (1, 'one');
    INSERT INTO film VALUES (1, 1), (2, 99);
    ALTER TABLE film ADD CONSTRAINT made_by FOREIGN KEY (studio_id) REFERENCES studio (id) NOT VALID;`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('leave no row out', async () => {
    const films = await rowsOf(program, 'Film.sort(p=>p.id).map(p=>[p.id,p.studio.name])');
    expect(films).toEqual([
      { id: 1, studio_name: 'one' },
      { id: 2, studio_name: null },
    ]);
  });

  test('are weak relations, and a note says so', async () => {
    const { stdout } = await callCommand(['introspect', database.url]);
    expect(stdout).toMatch(/name: studio, .*, weak: true/);
    expect(stdout.match(/Note: .*/g)).toEqual([
      'Note: public.film.made_by. The foreign key is NOT VALID or NOT ENFORCED, so rows may refer to rows that do not exist, and its relation is weak.',
    ]);
  });

  test('still order the rows of an import', async () => {
    const imported = await post(program, '/stages/default/import', {
      entities: [
        { entity: 'Film', rows: [{ id: 3, studioId: 2 }] },
        { entity: 'Studio', rows: [{ id: 2, name: 'two' }] },
      ],
    });
    expect(imported.status, imported.text).toBe(200);
  });
});
