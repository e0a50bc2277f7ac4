/** Columns with a zero date as their default: an insert may use it, but no data contains a zero date. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb } from './own-database.js';

describeMariadb('zero dates as defaults', () => {
  const database = useOwnMariadb(`
    SET SESSION sql_mode = 'STRICT_ALL_TABLES';
    CREATE TABLE post (id integer AUTO_INCREMENT PRIMARY KEY, title varchar(20), word varchar(20),
      at datetime NOT NULL DEFAULT '0000-00-00 00:00:00', day date NOT NULL DEFAULT '0000-00-00')`);
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const execute = (query: string, data: object) =>
    post(program, '/execute', { query, data: JSON.stringify(data) });
  const stored = () => database.texts('SELECT title, at, day FROM post ORDER BY id');
  const zero = ['0000-00-00 00:00:00', '0000-00-00'];

  test('an insert and an import without the column store the default', async () => {
    const inserted = await execute('Post.insert()', { title: 'inserted' });
    expect(inserted.status, inserted.text).toBe(200);
    const entities = [{ entity: 'Post', rows: [{ id: 7, title: 'imported' }] }];
    const imported = await post(program, '/stages/default/import', { entities });
    expect(imported.status, imported.text).toBe(200);
    expect(await stored()).toEqual([
      ['inserted', ...zero],
      ['imported', ...zero],
    ]);
    const rows = await rowsOf(program, 'Post.map(p=>[p.at,p.day])');
    expect(rows).toEqual([
      { at: null, day: null },
      { at: null, day: null },
    ]);
  });

  test('a zero date is refused as a value of the data, of a literal, of an expression and of an import', async () => {
    const before = await stored();
    for (const day of ['0000-00-00', '2020-00-00', '2020-05-00', '', 0]) {
      expect(await execute('Post.insert()', { title: 'x', day })).toMatchObject({ status: 400 });
      expect(await execute('Post.insert()', { title: 'x', at: day })).toMatchObject({
        status: 400,
      });
      const entities = [{ entity: 'Post', rows: [{ id: 9, day }] }];
      expect(await post(program, '/stages/default/import', { entities })).toMatchObject({
        status: 400,
      });
      const literal = JSON.stringify(day);
      for (const value of [literal, `date(${literal})`, `addDay(${literal}, 0)`]) {
        const updated = await execute(`Post.updateAll({day: ${value}})`, {});
        expect(updated.status, value).toBe(400);
      }
    }
    await database.run("UPDATE post SET word = '0000-00-00'");
    for (const value of ['p.word', 'date(p.word)', 'dateTime(p.word)', 'p.id - p.id']) {
      const updated = await execute(`Post.update({day: ${value}}).filter(p=>p.id==7)`, {});
      expect(updated.status, value).toBe(400);
    }
    expect(await stored()).toEqual(before);
  });
});
