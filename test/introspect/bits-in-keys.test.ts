/** Keys of several columns whose parts have no digits on MariaDB, or begin with zeros. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

const sql = `
  CREATE TABLE plan (tenant int(4) ZEROFILL, active bit(1), name varchar(9), PRIMARY KEY (tenant, active));
  CREATE TABLE seat (id int PRIMARY KEY, tenant int(4) ZEROFILL, active bit(1),
    FOREIGN KEY (tenant, active) REFERENCES plan (tenant, active))`;
const rows = `
  DELETE FROM seat;
  DELETE FROM plan;
  INSERT INTO plan VALUES (7, true, 'a'), (7, false, 'b'), (49, true, 'c');
  INSERT INTO seat VALUES (1, 7, true), (2, 7, true), (3, 7, false), (4, 49, true)`;

describeMariadb('bits in a key of several columns', () => {
  const database = useOwnMariadb(sql);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  beforeEach(() => database.run(rows));
  afterAll(() => program.stop());

  test('join included rows', async () => {
    const plans = 'Plan.sort(p=>p.name).map(p=>p.name).include(p=>p.seats.map(q=>q.id))';
    expect(await rowsOf(program, plans)).toEqual([
      { name: 'a', seats: [{ id: 1 }, { id: 2 }] },
      { name: 'b', seats: [{ id: 3 }] },
      { name: 'c', seats: [{ id: 4 }] },
    ]);
    const seats = 'Seat.sort(p=>p.id).map(p=>p.id).include(p=>p.plan.map(q=>q.name))';
    expect(await rowsOf(program, seats)).toMatchObject(
      ['a', 'a', 'b', 'c'].map((name) => ({ plan: { name } })),
    );
  });

  test('find the rows that a delete includes', async () => {
    const query = 'Plan.delete().filter(p=>p.name==name).include(p=>p.seats)';
    expect(await rowsOf(program, query, { name: 'a' })).toEqual(1);
    expect(await database.texts('SELECT id FROM seat ORDER BY id')).toEqual([[3], [4]]);
  });
});
