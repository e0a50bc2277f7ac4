/** Short reads that MariaDB answers with warnings, beside a long one on their connection. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { startBatchWorker } from '../workers/execute/batch-worker.js';

/** The reads of `seen` cause warnings, and those of `sleepy` take as long as the table says. */
const tables = `
  CREATE TABLE naps (id int PRIMARY KEY, seconds double);
  INSERT INTO naps VALUES (1, 0);
  CREATE VIEW sleepy AS SELECT id, SLEEP(seconds) AS seconds FROM naps;
  CREATE TABLE texts (number int PRIMARY KEY, text varchar(8));
  INSERT INTO texts SELECT seq, CONCAT(seq, 'a') FROM seq_1_to_9;
  CREATE VIEW seen AS SELECT number, text, text + 1 AS \`long\` FROM texts`;

describeMariadb('short reads with warnings', () => {
  let database: MariadbDatabase;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(tables));
  });
  afterAll(() => database.drop());

  test.each([1, 3])('%s of them do not wait for a long read, nor end it', async (count) => {
    const sleep = (seconds: number): Promise<unknown> =>
      database.withClient((client) => client.query(`UPDATE naps SET seconds = ${seconds}`));
    const changes = { batching: 'always', connectionsPerSource: 4 } as const;
    const worker = startBatchWorker(database.connection, changes, 'MariaDB');
    try {
      const seen = await worker.prepare('Seen.filter(p=>p.number==n).map(p=>p.long)');
      const sleepy = await worker.prepare('Sleepy.filter(p=>p.id==n).map(p=>p.seconds)');
      const warned = Array.from({ length: count }, (_, n) => ({ plan: seen, data: { n: n + 1 } }));
      const asks = [...warned, { plan: sleepy, data: { n: 1 } }];
      await sleep(0);
      for (let i = 0; i < 10; i += 1) await worker.outcomes(asks);
      await sleep(1.5);
      const ended: number[] = [];
      const asked = worker.ask(asks).map(({ outcome }, index) =>
        outcome.then((text) => {
          ended.push(index);
          return text;
        }),
      );
      const expected = warned.map((_, n) => `[{"long":${n + 2}}]`);
      expect(await Promise.all(asked)).toEqual([...expected, '[{"seconds":0}]']);
      expect(ended.at(-1)).toBe(count);
      expect(worker.surplus).toBe(0);
    } finally {
      await worker.close();
    }
  });
});
