/** Errors that MariaDB reports after rows of the same result. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { runOf, sql, withConnection } from './mysql-source.js';

describeMariadb('an error after rows', () => {
  let database: MariadbDatabase;

  beforeAll(async () => {
    database = await createMariadbDatabase();
  });
  afterAll(() => database.drop());

  test.each([
    ['a subquery of several rows', '(SELECT 1 UNION SELECT 2)', 'evaluation-failed'],
    ['a number out of range', 'POW(seq, 999)', 'value-out-of-range'],
  ])('has the same meaning as before them: %s', async (_, failing, code) => {
    await withConnection(database.connection, async (connection) => {
      for (const at of [1, 2, 15_000]) {
        const text = `SELECT seq, IF(seq < ${at}, 1, ${failing}) FROM seq_1_to_20000`;
        const run = runOf([sql(text), sql('SELECT 1')]);
        const next = runOf([sql('SELECT 2')]);
        for (const each of [run, next]) connection.send(each);
        connection.flush();
        await expect(run.ended).rejects.toMatchObject({ code, at: { statement: 0 } });
        expect(await next.ended).toEqual([[['2']]]);
      }
    });
  });
});
