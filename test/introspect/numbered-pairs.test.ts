/** Join tables whose pairs are a unique key and not the primary key, as Django, Rails and Prisma make them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const tables = `
  CREATE TABLE member (id integer PRIMARY KEY, name varchar(20));
  CREATE TABLE team (id integer PRIMARY KEY, name varchar(20));
  CREATE TABLE tag (id integer PRIMARY KEY, name varchar(20));
  CREATE TABLE belonging (id integer PRIMARY KEY, member_id integer NOT NULL, team_id integer NOT NULL,
    UNIQUE (member_id, team_id), FOREIGN KEY (member_id) REFERENCES member (id), FOREIGN KEY (team_id) REFERENCES team (id));
  CREATE TABLE coach (member_id integer NOT NULL, team_id integer NOT NULL, PRIMARY KEY (member_id, team_id),
    FOREIGN KEY (member_id) REFERENCES member (id), FOREIGN KEY (team_id) REFERENCES team (id));
  CREATE TABLE tagging (tag_id integer NOT NULL, team_id integer NOT NULL,
    FOREIGN KEY (tag_id) REFERENCES tag (id), FOREIGN KEY (team_id) REFERENCES team (id));
  CREATE UNIQUE INDEX tagging_pair ON tagging (tag_id, team_id);
  CREATE TABLE visit (id integer PRIMARY KEY, tag_id integer NOT NULL, member_id integer NOT NULL,
    FOREIGN KEY (tag_id) REFERENCES tag (id), FOREIGN KEY (member_id) REFERENCES member (id));
  INSERT INTO member VALUES (1, 'Ann'), (2, 'Bob');
  INSERT INTO team VALUES (1, 'Red'), (2, 'Blue');
  INSERT INTO tag VALUES (1, 'new'), (2, 'old');
  INSERT INTO belonging VALUES (10, 1, 1), (11, 2, 1), (12, 2, 2);
  INSERT INTO coach VALUES (1, 2);
  INSERT INTO tagging VALUES (1, 1), (2, 1);
  INSERT INTO visit VALUES (1, 1, 1), (2, 1, 1);`;

describe('on PostgreSQL, numbered pairs', () => {
  suite(useOwnPostgresql(tables));
});

describeMariadb('numbered pairs', () => {
  suite(useOwnMariadb(tables));
});

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('lead from both sides to the other one', async () => {
    const tags =
      'Team.sort(p=>p.id).map(p=>p.name).include(p=>p.tags.map(t=>t.name).sort(t=>t.id))';
    expect(await rowsOf(program, tags)).toEqual([
      { name: 'Red', tags: [{ name: 'new' }, { name: 'old' }] },
      { name: 'Blue', tags: [] },
    ]);
    const counted = 'Tag.filter(p=>p.teams.exists(t=>t.name=="Red")).count()';
    expect(await rowsOf(program, counted)).toEqual([{ count: 2 }]);
  });

  test('leave the shorter name to the relation through a primary key', async () => {
    const teams =
      'Member.filter(p=>p.id==2).include(p=>[p.teams.map(t=>t.name), p.teamsByBelonging.map(t=>t.name).sort(t=>t.id)])';
    expect(await rowsOf(program, teams)).toEqual([
      { id: 2, name: 'Bob', teams: [], teamsByBelonging: [{ name: 'Red' }, { name: 'Blue' }] },
    ]);
  });

  test('are no relation without a key, because a pair may be there several times', async () => {
    const answer = await rowsOf(program, 'Member.filter(p=>p.id==1).include(p=>p.visits)');
    expect(answer).toMatchObject([{ visits: [{ id: 1 }, { id: 2 }] }]);
    await expect(rowsOf(program, 'Member.include(p=>p.tags)')).rejects.toThrow();
  });
}
