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

  test('an export contains zero dates and partial ones, and an import stores them', async () => {
    await database.run(`SET STATEMENT sql_mode = '' FOR INSERT INTO post (id, at, day) VALUES
      (20, '2020-00-00 01:02:03', '2020-00-00'), (21, '2020-05-00', '2020-05-00'), (22, '0000-00-05', '0000-00-05')`);
    const all = () => database.texts('SELECT id, title, at, day FROM post ORDER BY id');
    const before = await all();
    const document = await (await fetch(`${program.base}/stages/default/export`)).text();
    expect(document).toContain('"at":"0000-00-00T00:00:00.000Z","day":"0000-00-00T00:00:00.000Z"');
    expect(document).toContain('"at":"2020-00-00T01:02:03.000Z","day":"2020-00-00T00:00:00.000Z"');
    await database.run('DELETE FROM post');
    const imported = await post(program, '/stages/default/import', JSON.parse(document));
    expect(imported.status, imported.text).toBe(200);
    expect(await all()).toEqual(before);
    await database.run('DELETE FROM post WHERE id >= 20');
    for (const day of ['2020-19-00', '0000-05-06T00:00:00.000Z', '0000-05-00', '2020-00-39']) {
      const wrong = { entities: [{ entity: 'Post', rows: [{ id: 9, day }] }] };
      const refused = await post(program, '/stages/default/import', wrong);
      expect([day, refused.status, JSON.parse(refused.text).place]).toEqual([
        ...[day, 400],
        'entities[0].rows[0].day',
      ]);
    }
  });

  test('a zero date is refused as a value of the data, of a literal and of an expression', async () => {
    const before = await stored();
    for (const day of ['0000-00-00', '2020-00-00', '2020-05-00', '', 0]) {
      expect(await execute('Post.insert()', { title: 'x', day })).toMatchObject({ status: 400 });
      expect(await execute('Post.insert()', { title: 'x', at: day })).toMatchObject({
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
