/** Keys whose columns look like flags, and foreign keys between columns whose types cannot be compared. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

function serve(database: OwnDatabase): () => Program {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());
  return () => program;
}

describeMariadb('tinyint(1) in keys', () => {
  const database = useOwnMariadb(`
    CREATE TABLE status (id tinyint PRIMARY KEY, name varchar(20));
    CREATE TABLE level (id tinyint(1) PRIMARY KEY, code tinyint(1) UNIQUE);
    CREATE TABLE orders (id integer PRIMARY KEY, status_id tinyint(1), level_code tinyint(1), paid tinyint(1),
      UNIQUE (id, paid),
      FOREIGN KEY (status_id) REFERENCES status (id), FOREIGN KEY (level_code) REFERENCES level (code));
    CREATE TABLE payment (id integer PRIMARY KEY, order_id integer, paid tinyint(1),
      FOREIGN KEY (order_id, paid) REFERENCES orders (id, paid));
    INSERT INTO status VALUES (0, 'new'), (1, 'paid'), (2, 'sent');
    INSERT INTO level VALUES (1, 7), (2, 8), (3, 9);
    INSERT INTO orders VALUES (1, 2, 9, 1), (2, 0, 7, 0);
    INSERT INTO payment VALUES (1, 1, 1)`);
  const program = serve(database);

  test('are numbers, and so are the columns that refer to them', async () => {
    expect(await rowsOf(program(), 'Level.sort(p=>p.id)')).toEqual([
      { id: 1, code: 7 },
      { id: 2, code: 8 },
      { id: 3, code: 9 },
    ]);
    const query = 'Orders.sort(p=>p.id).include(p=>[p.status, p.level])';
    expect(await rowsOf(program(), query)).toMatchObject([
      { id: 1, statusId: 2, levelCode: 9, paid: true, status: { name: 'sent' }, level: { id: 3 } },
      { id: 2, statusId: 0, levelCode: 7, paid: false, status: { name: 'new' }, level: { id: 1 } },
    ]);
  });

  test('are flags in a unique key of several columns', async () => {
    const query = 'Payment.map(p=>[p.paid, p.order.paid])';
    expect(await rowsOf(program(), query)).toEqual([{ paid: true, order_paid: true }]);
  });
});

describe('a foreign key from a timestamp to a date', () => {
  const database = useOwnPostgresql(`
    CREATE TABLE day (id date PRIMARY KEY);
    CREATE TABLE visit (id integer PRIMARY KEY, at timestamp REFERENCES day (id));
    INSERT INTO day VALUES ('2024-02-29');
    INSERT INTO visit VALUES (1, '2024-02-29')`);
  const program = serve(database);

  test('is no relation, which a note says', async () => {
    expect(await rowsOf(program(), 'Visit.map(p=>p.id)')).toEqual([{ id: 1 }]);
    const { stdout } = await callCommand(['introspect', database.url]);
    expect(stdout.match(/Not mapped: public.*/g)).toEqual([
      'Not mapped: public.visit.visit_at_fkey. The foreign key refers to public.day by a column of another type: dateTime and date.',
    ]);
  });
});
