/** Work of any length, such as an import, leaves connections to MariaDB to the queries. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import { MysqlSource } from '../../src/workers/database/mysql/source.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';

const settings = {
  connectionsPerSource: 2,
  connectTimeoutMs: 5000,
  connectionWaitMs: 300,
  statementTimeoutMs: 5000,
  preparedStatements: true,
};
const mode = { readOnly: false };

describeMariadb('loans', () => {
  let database: MariadbDatabase;
  let source: MysqlSource;

  beforeEach(async () => {
    database = await createMariadbDatabase();
    const { connection } = database;
    const declared = { name: 'x', dialect: 'MariaDB', mapping: 'x', connection } as const;
    source = new MysqlSource(declared, settings);
  });
  afterEach(async () => {
    await source.close();
    await database.drop();
  });

  const lend = (cancellation = createCancellation()) =>
    source.openLongTransaction(mode, cancellation);
  const ask = async (): Promise<unknown> => {
    const session = await source.openSession(createCancellation());
    const statement = { text: 'SELECT 1', parameters: [] };
    return session.fetch([statement], 1, true).finally(() => session.release());
  };

  test('take half of the connections at most, and give them back', async () => {
    const first = await lend();
    await expect(lend()).rejects.toMatchObject({ code: 'queue-timeout' });
    expect(await ask()).toEqual([[['1']]]);
    first.release();
    const second = await lend();
    expect(await ask()).toEqual([[['1']]]);
    second.release();
  });

  test('that wait can be cancelled, and are not lost', async () => {
    const first = await lend();
    const cancellation = createCancellation();
    const waiting = lend(cancellation);
    cancellation.cancel();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const next = lend();
    first.release();
    (await next).release();
  });

  test('that get no connection in time are given back', async () => {
    const sessions = [
      await source.openSession(createCancellation()),
      await source.openSession(createCancellation()),
    ];
    await expect(lend()).rejects.toMatchObject({ code: 'queue-timeout' });
    for (const session of sessions) session.release();
    (await lend()).release();
  });
});
