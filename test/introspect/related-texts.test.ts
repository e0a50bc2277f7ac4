/** Rows are grouped and made distinct by texts of related rows, whatever the type of their column. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

const types = ['tinytext', 'text', 'mediumtext', 'varchar(20)', "enum('a','b','c')"];

describeMariadb('texts of related rows', () => {
  const database = useOwnMariadb(`CREATE TABLE home (id integer PRIMARY KEY);
    CREATE TABLE note (id integer PRIMARY KEY, home_id integer, FOREIGN KEY (home_id) REFERENCES home (id),
      ${types.map((type, index) => `t${index} ${type}`).join(', ')});
    INSERT INTO home VALUES (1), (2), (3), (4);
    INSERT INTO note VALUES ${['1, 1', '2, 2', '3, 3']
      .map((keys, index) => `(${keys}${`, '${'abc'.charAt(index)}'`.repeat(types.length)})`)
      .join(', ')};`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const texts = [{ t: 'a' }, { t: 'b' }, { t: 'c' }, { t: null }];
  test.each(types.map((type, index) => [type, `t${index}`]))('%s', async (_, name) => {
    for (const text of [`p.notes.max(n=>n.${name})`, `p.notes.first(n=>n.${name})`]) {
      const groups = `Home.map(p=>({t: ${text}, n: count()})).sort(p=>p.t)`;
      expect(await rowsOf(program, groups)).toEqual(texts.map((row) => ({ ...row, n: 1 })));
      const distinct = `Home.distinct(p=>({t: ${text}})).sort(p=>p.t)`;
      expect(await rowsOf(program, distinct)).toEqual(texts);
    }
    const included = `Home.map(p=>({t: p.notes.max(n=>n.${name})})).sort(p=>p.t).include(p=>p.notes.map(n=>n.id))`;
    expect(await rowsOf(program, included)).toMatchObject(texts);
  });
});
