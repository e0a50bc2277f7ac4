/** Failures on MariaDB, and their answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import { describeMariadb } from '../support/mariadb.js';
import { until } from '../support/program.js';
import { testProbes } from '../workers/probe-suite.js';
import { schemaDocument } from '../workers/schema-document.js';
import { startWorker } from '../workers/test-worker.js';
import { type MariadbFixture, startMariadbFixture } from './fixture.js';
import { column, sql } from './mysql-source.js';

const point = 'Points.filter(p=>p.id==id).map(p=>p.id)';

describeMariadb('failing', () => {
  let fixture: MariadbFixture;

  beforeAll(async () => {
    fixture = await startMariadbFixture();
  });

  afterAll(() => fixture.stop());

  /** Ends `count` connections of workers as soon as that many are doing the same for this long. */
  const endConnections = async (count: number, seconds = 0): Promise<void> => {
    const found = await until('the connections are there', async () => {
      const all = await fixture.sql(`SELECT id FROM information_schema.processlist
        WHERE db = DATABASE() AND id <> CONNECTION_ID() AND time_ms >= ${1000 * seconds}`);
      return all.length === count && all;
    });
    if (!found) return;
    await fixture.sql(found.map(({ id }) => `KILL ${String(id)}`).join(';'));
  };

  test('a statement over its time limit is stopped', () =>
    fixture.withWorker({ statementTimeoutMs: 200, connectionsPerSource: 1 }, async (gateway) => {
      await expect(gateway.execute('Slow')).rejects.toMatchObject({
        problem: { code: 'statement-timeout' },
      });
      expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    }));

  test('a terminated connection fails its request, and the pool recovers', () =>
    fixture.withWorker({ connectionsPerSource: 3 }, async (gateway) => {
      await gateway.compile('Slow');
      const requests = [gateway.start('Slow'), gateway.start('Slow')];
      // A read that fails earlier runs again.
      await endConnections(2, 1.5);
      for (const { received } of requests) {
        await expect(received).rejects.toMatchObject({ problem: { code: 'source-unavailable' } });
      }
      expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    }));

  test('a terminated idle connection is replaced', () =>
    fixture.withWorker({ connectionsPerSource: 1 }, async (gateway) => {
      expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
      await endConnections(1);
      await until('it is gone', async () => (await fixture.connections()).length === 0);
      expect(await gateway.rows(point, { id: 2 })).toEqual([{ id: 2 }]);
    }));

  test('a prepared statement survives changes of its table', () =>
    fixture.withWorker({ connectionsPerSource: 4 }, async (gateway) => {
      const query = 'Points.filter(p=>p.id==id).map(p=>[p.qty,p.price])';
      const atOnce = () => Promise.all([1, 2, 3, 4].map((id) => gateway.rows(query, { id })));
      const expected = [1, 2, 3, 4].map((qty) => [{ qty, price: qty * 1.25 }]);
      expect(await atOnce()).toEqual(expected);
      await fixture.sql('ALTER TABLE points MODIFY qty bigint, MODIFY price double');
      expect(await atOnce()).toEqual(expected);
      await fixture.sql('ALTER TABLE points MODIFY qty smallint, MODIFY price decimal(12,2)');
      expect(await atOnce()).toEqual(expected);
    }));

  test('statements beyond the limit of a connection are closed and prepared again', () =>
    fixture.withWorker({ connectionsPerSource: 1, plansMax: 1000 }, async (gateway) => {
      const queries = Array.from(
        { length: 300 },
        (_, n) => `Points.filter(p=>p.id==id && p.id<${1e6 + n})`,
      );
      for (const round of [1, 2]) {
        for (const query of queries)
          expect(await gateway.rows(query, { id: round })).toHaveLength(1);
      }
      const [row] = await fixture.sql("SHOW STATUS LIKE 'Prepared_stmt_count'");
      expect(Number(row?.['Value'])).toBeLessThan(2000);
    }));

  test('statements are not kept if that is turned off', () =>
    fixture.withWorker({ connectionsPerSource: 1, preparedStatements: false }, async (gateway) => {
      const query = 'Orders.filter(p=>p.id<=n).include(p=>p.details)';
      for (const n of [1, 2, 3]) expect(await gateway.rows(query, { n })).toHaveLength(n);
    }));

  testProbes(() => fixture, '42S02');

  test('a source that cannot be reached is unavailable', async () => {
    const { connection } = fixture.database;
    for (const change of [{ port: 1 }, { password: 'wrong' }, { database: 'nowhere' }]) {
      const worker = startWorker(schemaDocument({ ...connection, ...change }, 'MariaDB'));
      await expect(worker.gateway.execute(point, { data: { id: 1 } })).rejects.toMatchObject({
        problem: { code: 'source-unavailable' },
      });
      expect(await worker.gateway.probe(false)).toBe(false);
      await expect(worker.gateway.probe(true)).rejects.toMatchObject({
        problem: { code: 'source-unavailable' },
      });
      await worker.close();
    }
  });

  test('a connection is an object, its JSON text, or a URL', async () => {
    const { host, port, user, password, database } = fixture.database.connection;
    const secret = password === '' ? '' : `:${encodeURIComponent(password)}`;
    const url = `mysql://${user}${secret}@${host}:${port}/${database}`;
    for (const connection of [{ url }, { host, port, user, password, database }]) {
      const worker = startWorker(schemaDocument(connection, 'MySQL'));
      expect(await worker.gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
      await worker.close();
    }
  });

  test("a session has the settings that answers depend on, whatever the server's are", () =>
    fixture.withWorker({ connectionsPerSource: 1 }, async (gateway, worker) => {
      const lease = await worker.context.sources.get('source').lease(createCancellation());
      const rows = await lease.fetch(sql('SELECT @@time_zone'));
      expect(column(rows)).toEqual(['+00:00']);
      lease.release();
      expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    }));
});
