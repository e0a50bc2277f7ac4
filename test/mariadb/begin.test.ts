/** Interrupting any command that begins a transaction leaves no write behind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactions } from '../../src/workers/database/mysql/transactions.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';

describeMariadb('the beginning of a transaction', () => {
  let database: MariadbDatabase;
  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query('CREATE TABLE t (x int)'));
  });
  afterAll(() => database.drop());

  test.each(transactions.begin(undefined).map((interrupted) => [interrupted]))(
    'leaves no write behind if %s is interrupted',
    async (interrupted) => {
      const others = transactions.begin(undefined).filter((each) => each !== interrupted);
      await database.withClient(async (client) => {
        for (const sql of [...others, 'INSERT INTO t VALUES (1)', 'ROLLBACK'])
          await client.query(sql);
      });
      const rows = await database.withClient((client) =>
        client.query<unknown[]>('SELECT x FROM t'),
      );
      expect(rows).toEqual([]);
    },
  );
});
