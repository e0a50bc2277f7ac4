/** Writes on MariaDB whose connection is lost during the commit. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { until } from '../support/program.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';
import { startWriteDatabase, type WriteDatabase } from '../workers/write-database.js';
import { writeDocument } from '../workers/write-schema.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

const single = 'Notes.insert()';

describeMariadb('a write whose connection is lost at its commit', () => {
  let database: WriteDatabase;
  let proxy: FaultyProxy;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await startWriteDatabase('MariaDB');
    const { mariadb } = database;
    if (!mariadb) throw new Error('The database is not MariaDB.');
    proxy = await startFaultyProxy(mariadb);
    worker = startWorker(writeDocument({ ...mariadb, port: proxy.port }, 'MariaDB'));
  });
  afterAll(async () => {
    await worker.close();
    await proxy.close();
    await database.stop();
  });

  const notes = async (): Promise<readonly string[]> =>
    (await database.readTables())['Notes'] ?? [];

  /** The outcome of a request whose answer is cut off after the server has executed it. */
  async function lostAtCommit(text: string, send: () => Promise<unknown>): Promise<unknown> {
    const sent = send().then(
      () => 'an answer',
      (error: unknown) => Reflect.get(Object(error), 'problem'),
    );
    await until('it is stored', async () => (await notes()).includes(text));
    proxy.cut();
    return sent;
  }

  test('has an unknown outcome', async () => {
    const { gateway } = worker;
    await gateway.rows(single, { text: 'warm' });
    proxy.holdAnswers();
    const problem = await lostAtCommit('a', () => gateway.execute(single, { data: { text: 'a' } }));
    expect(problem).toMatchObject({ code: 'outcome-unknown' });
  });
});
