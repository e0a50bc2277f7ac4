/** A node of a Galera cluster that has lost the other nodes is not ready, though it still answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import type { Source } from '../../src/workers/database/source.js';
import { createMariadbDatabase, describeGalera, type MariadbDatabase } from '../support/mariadb.js';
import { until } from '../support/program.js';
import { mysqlSource, sql } from './mysql-source.js';

describeGalera('a source', (startNode) => {
  let node: Awaited<ReturnType<typeof startNode>>;
  let database: MariadbDatabase;
  let source: Source;

  beforeAll(async () => {
    node = await startNode();
    database = await createMariadbDatabase(node.server);
    await set('CREATE TABLE t (id int PRIMARY KEY) ENGINE = InnoDB');
    source = mysqlSource(database.connection);
  });
  afterAll(async () => {
    await source.close();
    await node.stop();
  });

  const set = (text: string) => database.withClient((client) => client.query(text));
  const write = async (to: Source, ...ids: readonly number[]) => {
    const lease = await to.lease(createCancellation());
    const statements = ids.map((id) => sql('INSERT INTO t VALUES (?)', String(id)));
    return lease.write(statements, true).finally(() => lease.release());
  };

  test('is ready only while its node belongs to a cluster', async () => {
    await write(source, 1);
    await write(source, 2, 3);
    expect(await source.ping(2000)).toBe('ready');
    await set("SET GLOBAL wsrep_cluster_address = ''");
    expect(await source.ping(2000)).toBe('away');
    // Refusals of other requests do not make it ready.
    const refusals = [4, 5, 6].map((id) => write(source, id).catch(() => undefined));
    expect(await source.ping(2000)).toBe('away');
    await Promise.all(refusals);
    for (const ids of [[4], [5, 6]]) {
      await expect(write(source, ...ids)).rejects.toMatchObject({ code: 'source-unavailable' });
    }
    await set("SET GLOBAL wsrep_cluster_address = 'gcomm://'");
    await until('it is ready again', async () => (await source.ping(2000)) === 'ready');
    await write(source, 7, 8);
    const rows = await set('SELECT GROUP_CONCAT(id ORDER BY id) AS ids FROM t');
    expect(rows).toEqual([{ ids: '1,2,3,7,8' }]);
  });

  test('is read-only while its user cannot write', async () => {
    await set('CREATE USER reader; GRANT ALL ON *.* TO reader; REVOKE SUPER ON *.* FROM reader');
    await set('REVOKE READ_ONLY ADMIN ON *.* FROM reader');
    const own = mysqlSource({ ...database.connection, user: 'reader' });
    expect(await own.ping(2000)).toBe('ready');
    await set('SET GLOBAL read_only = ON');
    expect(await own.ping(2000)).toBe('read-only');
    await expect(write(own, 9)).rejects.toMatchObject({ code: 'source-read-only' });
    await set('SET GLOBAL read_only = OFF');
    expect(await own.ping(2000)).toBe('ready');
    await write(own, 9);
    await own.close();
  });
});
