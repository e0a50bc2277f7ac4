/**
 * The tables of a company: circular references, keys of several columns, and two schemas on PostgreSQL.
 */
import { describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, rowsOf, runCommand } from '../support/program.js';
import { companySql } from './company.js';
import { useOwnMariadb, useOwnPostgresql, withoutRows } from './own-database.js';
import { type ServedDatabases, servedSuite } from './served-suite.js';

describe('a company on PostgreSQL', () => {
  const sql = companySql('PostgreSQL');
  const database = useOwnPostgresql(sql);
  suite({ database, empty: useOwnPostgresql(withoutRows(sql)) }, ['hr', 'payroll']);
});

describeMariadb('a company', () => {
  const sql = companySql('MariaDB');
  const database = useOwnMariadb(sql);
  suite({ database, empty: useOwnMariadb(withoutRows(sql)) }, []);
});

function suite(databases: ServedDatabases, schemas: readonly string[]): void {
  const { database } = databases;
  const { served } = servedSuite(databases, schemas);

  test('tables that refer to each other are read in both directions', async () => {
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

  test('the name of a table in another schema includes that schema, and a partitioned table is one entity', async () => {
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
    const flags = schemas.length === 0 ? [] : ['--schemas', schemas.join()];
    const { stdout } = await runCommand(['introspect', database.url, ...flags]);
    expect(stdout.match(/name: Payroll\w+/g)).toHaveLength(4);
    expect(stdout).not.toContain('# Not mapped');
  });

  test('a foreign key of several columns is a relation that is read in both directions', async () => {
    const program = served();
    const joined =
      'Assignment.filter(p=>p.projectPhase.title!="Plan").map(p=>({no: p.employeeNo, phase: p.projectPhase.title, lead: p.projectPhase.lead.name})).sort(p=>[p.no, p.phase])';
    expect(await rowsOf(program, joined)).toEqual([
      { no: 2, phase: 'Build', lead: 'Jan' },
      { no: 3, phase: 'Build', lead: 'Jan' },
      { no: 3, phase: 'Dig', lead: null },
    ]);
    const included =
      'ProjectPhase.map(p=>({title: p.title, hours: p.assignments.sum(a=>a.hours), busy: exists(p.assignments, a=>a.hours>7)})).include(p=>p.assignments.sort(a=>desc(a.hours)).take(1).map(a=>a.employeeNo).include(a=>a.projectPhase.map(q=>q.title))).sort(p=>p.title)';
    const most = (employeeNo: number, title: string) => [{ employeeNo, projectPhase: { title } }];
    expect(await rowsOf(program, included)).toEqual([
      { title: 'Build', hours: 48, busy: true, assignments: most(2, 'Build') },
      { title: 'Dig', hours: 3, busy: false, assignments: most(3, 'Dig') },
      { title: 'Plan', hours: 5, busy: false, assignments: most(1, 'Plan') },
    ]);
    const all = 'ProjectPhase.map(p=>p.title).include(p=>p.assignments.map(a=>({n: count()})))';
    expect(await rowsOf(program, `${all}.sort(p=>p.title)`)).toEqual([
      { title: 'Build', assignments: [{ n: 2 }] },
      { title: 'Dig', assignments: [{ n: 1 }] },
      { title: 'Plan', assignments: [{ n: 1 }] },
    ]);
  });

  test('rows are written and deleted together through a relation of several columns', async () => {
    const program = served();
    const phase = { projectId: 11, phaseNo: 2, title: 'Line', leadNo: null };
    const [first, second] = [
      { employeeNo: 1, hours: 2 },
      { employeeNo: 2, hours: 4 },
    ];
    const key = { projectId: 11, phaseNo: 2 };
    const own = (row: object) => ({ ...row, ...key });
    const insert = 'ProjectPhase.insert().include(p=>p.assignments)';
    expect(await rowsOf(program, insert, { ...phase, assignments: [first, second] })).toEqual({
      ...phase,
      assignments: [own(first), own(second)].map((row) => expect.objectContaining(row)),
    });
    const update = 'ProjectPhase.update().include(p=>p.assignments)';
    await rowsOf(program, update, { ...phase, assignments: [{ employeeNo: 2, hours: 9 }] });
    const filtered =
      'ProjectPhase.update(p=>({title: "Rails"})).filter(p=>p.title=="Line").include(p=>p.assignments)';
    await rowsOf(program, filtered, { assignments: [{ employeeNo: 3, hours: 1 }] });
    const referring = 'Assignment.update().include(p=>p.projectPhase)';
    const changed = { employeeNo: 1, ...key, hours: 3, projectPhase: { ...phase, title: 'Track' } };
    await rowsOf(program, referring, changed);
    const read = `ProjectPhase.filter(p=>p.projectId==11 && p.phaseNo==2).map(p=>p.title).include(p=>p.assignments.map(a=>[a.employeeNo, a.hours]))`;
    expect(await rowsOf(program, read)).toEqual([
      {
        title: 'Track',
        assignments: [
          { employeeNo: 1, hours: 3 },
          { employeeNo: 2, hours: 9 },
          { employeeNo: 3, hours: 1 },
        ],
      },
    ]);
    const remove = 'ProjectPhase.delete().filter(p=>p.title==title).include(p=>p.assignments)';
    await rowsOf(program, remove, { title: 'Track' });
    expect(await rowsOf(program, read)).toEqual([]);
    expect(await rowsOf(program, 'Assignment.count()')).toEqual([{ count: 4 }]);
  });

  test('rows can be nested in an import by several columns', async () => {
    const program = served();
    const phase = { projectId: 10, phaseNo: 3, title: 'Paint', leadNo: 1 };
    const rows = [{ ...phase, assignments: [{ employeeNo: 1, hours: 6 }] }];
    const document = { entities: [{ entity: 'ProjectPhase', rows }] };
    const stored = await post(program, '/stages/default/import', document);
    expect([stored.status, stored.text]).toEqual([200, expect.any(String)]);
    const wrong = [{ ...phase, phaseNo: 4, assignments: [{ employeeNo: 1, phaseNo: 5 }] }];
    const refused = await post(program, '/stages/default/import', {
      entities: [{ entity: 'ProjectPhase', rows: wrong }],
    });
    expect(refused.json()).toMatchObject({
      status: 422,
      detail: expect.stringContaining("'phaseNo' differs from the 'phaseNo' of its parent row"),
    });
    const remove = 'ProjectPhase.delete().filter(p=>p.phaseNo==3).include(p=>p.assignments)';
    const read = 'Assignment.filter(p=>p.phaseNo==3).map(p=>[p.hours, p.projectPhase.title])';
    expect(await rowsOf(program, read)).toEqual([{ hours: 6, projectPhase_title: 'Paint' }]);
    await rowsOf(program, remove);
    expect(await rowsOf(program, read)).toEqual([]);
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
