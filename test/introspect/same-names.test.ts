/** Errors name the entity of the right table if several schemas have a table of that name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** Two tables `account`, of which only the second one refers to another table. */
const tables = (other: string) => `
  CREATE TABLE account (id integer PRIMARY KEY);
  CREATE TABLE ${other}.person (id integer PRIMARY KEY);
  CREATE TABLE ${other}.account (id integer PRIMARY KEY, keeper integer,
    FOREIGN KEY (keeper) REFERENCES ${other}.person (id));`;

describe('on PostgreSQL', () => {
  suite(useOwnPostgresql(`CREATE SCHEMA other; ${tables('other')}`), () => 'public,other');
});

describeMariadb('tables of the same name', () => {
  const other = `other_${process.pid}`;
  const create = `DROP DATABASE IF EXISTS ${other}; CREATE DATABASE ${other}; ${tables(other)}`;
  const database = useOwnMariadb(create);
  afterAll(() => database.run(`DROP DATABASE ${other}`));
  suite(database, () => `${new URL(database.url).pathname.slice(1)},${other}`);
});

function suite(database: OwnDatabase, schemas: () => string): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--schemas', schemas(), '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('rows that refer to a deleted one', async () => {
    const person = await entityOf(program, 'Person');
    const account = await entityOf(program, 'Account');
    await rowsOf(program, `${person}.insert()`, { id: 1 });
    await rowsOf(program, `${account}.insert()`, { id: 1, keeper: 1 });
    const query = `${person}.delete()`;
    const answer = await post(program, '/execute', { query, data: { id: 1 } });
    expect(answer.json()).toMatchObject({
      code: 'foreign-key-violation',
      detail: `Rows of entity ${account} still refer to the deleted row.`,
    });
  });
}

/** The entity of a table of the other schema, whose name begins with that of the schema. */
async function entityOf(program: Program, end: string): Promise<string> {
  const entities = (await ask(program, '/entities')).json() as { readonly name: string }[];
  return entities.find(({ name }) => name !== end && name.endsWith(end))?.name ?? '';
}
