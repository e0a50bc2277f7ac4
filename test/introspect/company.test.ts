/** A company's tables: circles, keys of several columns, and on PostgreSQL two schemas. */
import { describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { rowsOf, runCommand } from '../support/program.js';
import { companySql } from './company.js';
import { useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { type ServedDatabases, servedSuite } from './served-suite.js';

describe('a company on PostgreSQL', () => {
  const sql = companySql('PostgreSQL');
  const database = useOwnPostgresql(sql);
  suite({ database, empty: useOwnPostgresql(withoutRows(sql)) }, ['--schemas', 'hr,payroll']);
});

describeMariadb('a company', () => {
  const sql = companySql('MariaDB');
  const database = useOwnMariadb(sql);
  suite({ database, empty: useOwnMariadb(withoutRows(sql)) }, []);
});

function suite(databases: ServedDatabases, flags: readonly string[]): void {
  const { database } = databases;
  const { served } = servedSuite(databases, flags);

  test('tables that lead to each other are read both ways', async () => {
    const query =
      'Department.sort(p=>p.code).map(p=>[p.code]).include(p=>[p.head.map(h=>h.name), p.employees.sort(e=>e.no).map(e=>e.name)])';
    expect(await rowsOf(served(), query)).toEqual([
      { code: 'dev', head: { name: 'Ida' }, employees: [{ name: 'Ida' }, { name: 'Jan' }] },
      { code: 'ops', head: null, employees: [{ name: 'Kim' }] },
    ]);
    const mentors =
      'Employee.filter(p=>p.no==1).map(p=>[p.no]).include(p=>p.employeesByMentor.sort(e=>e.no).map(e=>e.no))';
    expect(await rowsOf(served(), mentors)).toEqual([
      { no: 1, employeesByMentor: [{ no: 2 }, { no: 3 }] },
    ]);
  });

  test('a table of another schema has the name of its schema, a partitioned table is one', async () => {
    const query =
      'PayrollEmployee.sort(p=>p.employeeNo).map(p=>[p.account]).include(p=>p.employee.map(e=>e.name))';
    expect(await rowsOf(served(), query)).toEqual([
      { account: 'DE01', employee: { name: 'Ida' } },
      { account: 'DE02', employee: { name: 'Jan' } },
    ]);
    const sums = 'PayrollPayslip.map(p=>({year: p.year, net: sum(p.net)})).sort(p=>p.year)';
    expect(await rowsOf(served(), sums)).toEqual([
      { year: 2024, net: 100.5 },
      { year: 2025, net: 200 },
    ]);
    const { stdout } = await runCommand(['introspect', database.url, ...flags]);
    expect(stdout.match(/name: Payroll\w+/g)).toHaveLength(4);
    expect(stdout).toMatch(
      /# Not mapped: \w+\.assignment\.assignment_phase\. .* with 2 columns \(project_id, phase_no\)/,
    );
  });

  test('rows of another schema are written', async () => {
    const program = served();
    const row = { employeeNo: 3, year: 2024, net: 70.25 };
    expect(await rowsOf(program, 'PayrollPayslip.insert()', row)).toEqual(row);
    const raise = 'PayrollPayslip.update(p=>({net: p.net*2})).filter(p=>p.employeeNo==3)';
    expect(await rowsOf(program, raise)).toBe(1);
    expect(await rowsOf(program, 'PayrollPayslip.upsert()', { ...row, net: 1 })).toEqual({
      ...row,
      net: 1,
    });
    const own = 'PayrollPayslip.delete().filter(p=>p.employeeNo==3)';
    expect(await rowsOf(program, own)).toBe(1);
  });
}
