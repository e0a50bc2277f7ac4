/** Keys of an enumerated type: related rows find each other, alone or as a part of a longer key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const sqlOf = (kind: string) => `
  CREATE TABLE lane (kind ${kind} PRIMARY KEY, name varchar(9));
  CREATE TABLE car (id integer PRIMARY KEY, kind ${kind}, FOREIGN KEY (kind) REFERENCES lane (kind));
  CREATE TABLE stop (kind ${kind}, number integer, PRIMARY KEY (kind, number));
  CREATE TABLE visit (id integer PRIMARY KEY, kind ${kind}, number integer,
    FOREIGN KEY (kind, number) REFERENCES stop (kind, number));
  INSERT INTO lane VALUES ('slow', 'S'), ('fast', 'F');
  INSERT INTO car VALUES (1, 'fast'), (2, 'slow'), (3, 'fast'), (4, NULL);
  INSERT INTO stop VALUES ('slow', 1), ('fast', 1), ('fast', 2);
  INSERT INTO visit VALUES (1, 'fast', 1), (2, 'fast', 2), (3, 'slow', 1), (4, 'slow', NULL);`;

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('lead to one row and to many', async () => {
    const cars = 'Car.sort(p=>p.id).map(p=>p.id).include(p=>p.kindLane.map(l=>l.name))';
    expect(await rowsOf(program, cars)).toEqual([
      { id: 1, kindLane: { name: 'F' } },
      { id: 2, kindLane: { name: 'S' } },
      { id: 3, kindLane: { name: 'F' } },
      { id: 4, kindLane: null },
    ]);
    const lanes = 'Lane.sort(p=>p.name).map(p=>p.name).include(p=>p.cars.map(c=>c.id))';
    expect(await rowsOf(program, lanes)).toEqual([
      { name: 'F', cars: [{ id: 1 }, { id: 3 }] },
      { name: 'S', cars: [{ id: 2 }] },
    ]);
  });

  test('lead to other rows as a part of a key', async () => {
    const visits = 'Visit.sort(p=>p.id).map(p=>p.id).include(p=>p.stop)';
    expect(await rowsOf(program, visits)).toEqual([
      { id: 1, stop: { kind: 'fast', number: 1 } },
      { id: 2, stop: { kind: 'fast', number: 2 } },
      { id: 3, stop: { kind: 'slow', number: 1 } },
      { id: 4, stop: null },
    ]);
    const stops = 'Stop.sort(p=>p.kind).include(p=>p.visits.map(v=>v.id))';
    expect(await rowsOf(program, `${stops}.filter(p=>p.number==1)`)).toEqual([
      { kind: 'slow', number: 1, visits: [{ id: 3 }] },
      { kind: 'fast', number: 1, visits: [{ id: 1 }] },
    ]);
  });

  test('are given to rows that are written and deleted with them', async () => {
    const stop = { kind: 'slow', number: 9, visits: [{ id: 90 }, { id: 91 }] };
    const written = await rowsOf(program, 'Stop.insert().include(p=>p.visits)', stop);
    expect(written).toMatchObject({ visits: [{ id: 90, kind: 'slow', number: 9 }, { id: 91 }] });
    const gone = 'Stop.delete().include(p=>p.visits).filter(p=>p.number==9)';
    expect(await rowsOf(program, gone)).toBe(1);
    expect(await rowsOf(program, 'Visit.filter(p=>p.id>=90)')).toEqual([]);
  });
}

describe('keys of an enumerated type on PostgreSQL', () => {
  suite(useOwnPostgresql(`CREATE TYPE kind AS ENUM ('slow', 'fast'); ${sqlOf('kind')}`));
});

describeMariadb('keys of an enumerated type', () => {
  suite(useOwnMariadb(sqlOf("ENUM('slow', 'fast')")));
});
