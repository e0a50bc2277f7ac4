/** Statements that MariaDB cannot interrupt: clients do not wait for them, and they do not pile up. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../src/workers/database/source.js';
import {
  createMariadbDatabase,
  describeMariadb,
  describeOwnMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { LOOSER } from '../support/looser.js';
import { until } from '../support/program.js';
import { schemaDocument } from '../workers/schema-document.js';
import { useWorker } from '../workers/test-worker.js';
import { startFaultyProxy } from './faulty-proxy.js';
import { mysqlSource, onLease, runOf, sql } from './mysql-source.js';

/**
 * At each letter, `REPLACE` moves the rest of the string. This takes about ten seconds, during which it does
 * not check for interruption.
 */
const LETTERS = 'a'.repeat(200_000);
const SLOW = "CHAR_LENGTH(REPLACE(?, 'a', 'bb'))";
const LIMIT_MS = 200;
const WITHIN_MS = LIMIT_MS + 1000 * LOOSER;
const ENDED_MS = 90_000;

/** Asserts that work beyond the time limit fails with this code, in time. */
async function failsInTime(code: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await expect(work()).rejects.toMatchObject({ code });
  expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS);
}

describeMariadb('a statement that cannot be interrupted', () => {
  let database: MariadbDatabase;
  let source: Source;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) =>
      client.query(`CREATE TABLE lengths (n int);
        CREATE TABLE points (id int PRIMARY KEY); INSERT INTO points VALUES (1)`),
    );
    source = mysqlSource(database.connection, { statementTimeoutMs: LIMIT_MS });
  });

  afterAll(async () => {
    await source.close();
    await database.drop();
  });

  const one = () => onLease(source, (lease) => lease.run(runOf([sql('SELECT 1')]).steps));

  test(
    'is answered in time; a second one occupies a connection of the pool until it ends',
    async () => {
      const { pool } = source;
      await onLease(source, (lease) =>
        failsInTime('statement-timeout', () =>
          lease.run(runOf([sql(`SELECT ${SLOW}`, LETTERS)]).steps),
        ),
      );
      await until('the first is still running', () => pool.runaways === 1);
      await Promise.all([one(), one()]);
      await onLease(source, (lease) =>
        failsInTime('outcome-unknown', () =>
          lease.write([sql(`INSERT INTO lengths SELECT ${SLOW}`, LETTERS)], true),
        ),
      );
      await until('the second is still running', () => pool.runaways === 2);
      await onLease(source, async () => {
        await expect(one()).rejects.toMatchObject({ code: 'queue-timeout' });
      });
      await until('both have ended', () => pool.runaways === 0, ENDED_MS);
      await onLease(source, () => one());
    },
    2 * ENDED_MS,
  );

  test('is answered in time on a connection that requests share', () =>
    useWorker(
      schemaDocument(database.connection, 'MariaDB'),
      { statementTimeoutMs: LIMIT_MS, connectionsPerSource: 1 },
      async (gateway) => {
        const query = 'Points.map(p=>({n:length(replace(x,"a","bb"))}))';
        await gateway.compile(query);
        const slow = () =>
          gateway.start(query, { data: { x: LETTERS } }).received.catch(({ problem }) => {
            throw problem;
          });
        await failsInTime('statement-timeout', slow);
        expect(await gateway.rows('Points.map(p=>p.id)')).toEqual([{ id: 1 }]);
      },
    ));
});

describeOwnMariadb('a statement behind an address of several servers', (start) => {
  test('is stopped only on its own server, and counts until that is reached again', async () => {
    const [server, other] = await Promise.all([start([]), start([])]);
    const proxy = await startFaultyProxy(server.server);
    const databases = await Promise.all(
      [server, other].map((each) => createMariadbDatabase(each.server)),
    );
    const through = { ...server.server, port: proxy.port, database: 'mysql' };
    const source = mysqlSource(through, { statementTimeoutMs: 10 * LIMIT_MS });
    const kills = () =>
      Promise.all(
        databases.map((each) =>
          each.withClient(async (client) => {
            const rows = await client.query("SHOW GLOBAL STATUS LIKE 'Com_kill%'");
            return rows.reduce((sum: number, { Value }: { Value: string }) => sum + +Value, 0);
          }),
        ),
      );
    const looks = () => proxy.commands.filter((text) => text.includes('@@server_id')).length;
    try {
      await onLease(source, async (lease) => {
        await lease.begin();
        proxy.leadTo(other.server);
        const slow = lease.run(runOf([sql('SELECT SLEEP(600)')]).steps);
        await expect(slow).rejects.toMatchObject({ code: 'statement-timeout' });
      });
      await until('the connection is given up', () => source.pool.runaways === 1);
      const looked = looks();
      await until('its server is looked for', () => looks() > looked + 1);
      expect([source.pool.runaways, await kills()]).toEqual([1, [0, 0]]);
      proxy.leadTo(server.server);
      await until('it has ended', () => source.pool.runaways === 0);
      expect(await kills()).toEqual([1, 0]);
    } finally {
      await source.close();
      await proxy.close();
      await Promise.all([server.stop(), other.stop()]);
    }
  });
});
