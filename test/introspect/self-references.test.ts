/** Deletes of rows that refer to themselves or to each other, with the rows that refer to them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = `
  CREATE TABLE employees (id int PRIMARY KEY, boss_id int, FOREIGN KEY (boss_id) REFERENCES employees (id) ON DELETE CASCADE);
`;
const rows = `
  DELETE FROM employees;
  INSERT INTO employees VALUES (1, 1), (4, NULL);
  INSERT INTO employees VALUES (2, 1), (3, 2);
  UPDATE employees SET boss_id = 3 WHERE id = 1;
`;
const staff = 'include(p=>p.employeesByBoss.include(p=>p.employeesByBoss))';

describe('employees on PostgreSQL', () => {
  suite(useOwnPostgresql(tables));
});
describeMariadb('employees', () => {
  suite(useOwnMariadb(tables));
});

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  beforeEach(() => database.run(rows));
  afterAll(() => program.stop());

  const remove = async (query: string, data: unknown) =>
    (await post(program, '/execute', { query, data: JSON.stringify(data) })).json();

  test('a row that is its own parent is deleted by its key, and counted', async () => {
    await database.run('UPDATE employees SET boss_id = 1 WHERE id = 1');
    expect(await remove('Employees.delete().include(p=>p.employeesByBoss)', { id: 1 })).toBe(1);
    expect(await rowsOf(program, 'Employees.map(p=>p.id)')).toEqual([{ id: 4 }]);
  });

  test('a row that is among its included rows is counted', async () => {
    expect(await remove(`Employees.delete().${staff}`, { id: 1 })).toBe(1);
    expect(await rowsOf(program, 'Employees.map(p=>p.id)')).toEqual([{ id: 4 }]);
  });

  test('a delete of all rows counts those that it includes', async () => {
    expect(await remove(`Employees.deleteAll().${staff}`, {})).toBe(4);
    expect(await rowsOf(program, 'Employees.map(p=>p.id)')).toEqual([]);
  });
}
