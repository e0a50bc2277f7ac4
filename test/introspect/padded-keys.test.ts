/** Keys of the type `char(n)`, whose trailing blanks the database ignores, and keys of other string types. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const sql = `
  CREATE TABLE land (code char(4) PRIMARY KEY, name varchar(20));
  CREATE TABLE town (id integer PRIMARY KEY, home varchar(10), twin char(4),
    FOREIGN KEY (home) REFERENCES land (code), FOREIGN KEY (twin) REFERENCES land (code));
  CREATE TABLE word (code varchar(10) PRIMARY KEY, name varchar(20));
  CREATE TABLE saying (id integer PRIMARY KEY, word char(6), FOREIGN KEY (word) REFERENCES word (code));
  INSERT INTO land VALUES ('de', 'Germany'), ('fr', 'France'), ('long', 'Utopia');
  INSERT INTO town VALUES (1, 'de', 'fr'), (2, 'fr', 'long'), (3, 'long', 'de');
  INSERT INTO word VALUES ('a', 'A'), ('bc', 'BC');
  INSERT INTO saying VALUES (1, 'a'), (2, 'bc'), (3, 'a');`;

function suite(database: OwnDatabase): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test('lead to the rows that have them', async () => {
    const towns =
      'Town.sort(p=>p.id).map(p=>p.id).include(p=>[p.homeLand.map(l=>l.name), p.twinLand.map(l=>l.name)])';
    expect(await rowsOf(program, towns)).toEqual([
      { id: 1, homeLand: { name: 'Germany' }, twinLand: { name: 'France' } },
      { id: 2, homeLand: { name: 'France' }, twinLand: { name: 'Utopia' } },
      { id: 3, homeLand: { name: 'Utopia' }, twinLand: { name: 'Germany' } },
    ]);
    const sayings = 'Saying.sort(p=>p.id).map(p=>p.id).include(p=>p.wordRef.map(w=>w.name))';
    expect(await rowsOf(program, sayings)).toEqual([
      { id: 1, wordRef: { name: 'A' } },
      { id: 2, wordRef: { name: 'BC' } },
      { id: 3, wordRef: { name: 'A' } },
    ]);
  });

  test.each(['', '.take(1)', '.sort(t=>t.id).page(1, 5)'])(
    'lead to the rows that refer to them%s',
    async (clause) => {
      const lands = `Land.sort(p=>p.name).map(p=>p.name).include(p=>[p.townsByHome.map(t=>t.id)${clause}, p.townsByTwin.map(t=>t.id)${clause}])`;
      expect(await rowsOf(program, lands)).toEqual([
        { name: 'France', townsByHome: [{ id: 2 }], townsByTwin: [{ id: 1 }] },
        { name: 'Germany', townsByHome: [{ id: 1 }], townsByTwin: [{ id: 3 }] },
        { name: 'Utopia', townsByHome: [{ id: 3 }], townsByTwin: [{ id: 2 }] },
      ]);
    },
  );

  test('lead to groups of the rows that refer to them', async () => {
    const words =
      'Word.sort(p=>p.name).map(p=>p.name).include(p=>p.sayings.map(s=>({last: max(s.id), n: count()})))';
    expect(await rowsOf(program, words)).toEqual([
      { name: 'A', sayings: [{ last: 3, n: 2 }] },
      { name: 'BC', sayings: [{ last: 2, n: 1 }] },
    ]);
  });

  test('are compared with texts of a request without their blanks', async () => {
    const lands =
      'Land.filter(p=>in(x, [p.code, p.name]) || between(x, p.code, p.code)).map(p=>p.name)';
    expect(await rowsOf(program, lands, { x: 'de  ' })).toEqual([{ name: 'Germany' }]);
  });

  test('are given to rows that an update by a filter includes', async () => {
    await rowsOf(program, 'Land.insert()', { code: 'z', name: 'Z' });
    const update = 'Land.filter(p=>p.name==n).update({name: n}).include(p=>p.townsByHome)';
    await rowsOf(program, update, { n: 'Z', townsByHome: [{ id: 5 }] });
    const lengths = 'Town.filter(p=>p.id==5).map(p=>({home: p.home, n: length(p.home)}))';
    expect(await rowsOf(program, lengths)).toEqual([{ home: 'z', n: 1 }]);
    await rowsOf(program, 'Town.delete()', { id: 5 });
  });

  test('find the rows to delete with those of a filter', async () => {
    const land = { code: 'w', name: 'W', townsByHome: [{ id: 6 }] };
    await rowsOf(program, 'Land.insert().include(p=>p.townsByHome)', land);
    const query = 'Land.filter(p=>p.name=="W").delete().include(p=>p.townsByHome)';
    const { status, text } = await post(program, '/execute', { query });
    expect([status, text]).toEqual([200, '1']);
    expect(await rowsOf(program, 'Town.filter(p=>p.id==6).map(p=>p.id)')).toEqual([]);
  });

  test('are given to rows that are written with them', async () => {
    const land = { code: 'x', name: 'X', townsByHome: [{ id: 10 }, { id: 11 }] };
    await rowsOf(program, 'Land.insert().include(p=>p.townsByHome)', land);
    const town = { id: 20, homeLand: { code: 'y', name: 'Y' } };
    await rowsOf(program, 'Town.insert().include(p=>p.homeLand)', town);
    const upserted = { code: 'x', name: 'XX', townsByHome: [{ id: 12 }] };
    await rowsOf(program, 'Land.upsert().include(p=>p.townsByHome)', upserted);
    const lengths =
      'Town.filter(p=>p.id>=10).sort(p=>p.id).map(p=>({id: p.id, home: p.home, n: length(p.home)}))';
    expect(await rowsOf(program, lengths)).toEqual([
      { id: 10, home: 'x', n: 1 },
      { id: 11, home: 'x', n: 1 },
      { id: 12, home: 'x', n: 1 },
      { id: 20, home: 'y', n: 1 },
    ]);
  });
}

describe('padded keys on PostgreSQL', () => {
  suite(useOwnPostgresql(sql));
});

describeMariadb('padded keys', () => {
  // A collation without padding would compare the blanks of the type `char`.
  suite(useOwnMariadb(`ALTER DATABASE COLLATE utf8mb4_general_ci; ${sql}`));
});
