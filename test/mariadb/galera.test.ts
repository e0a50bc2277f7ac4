/** A node of a Galera cluster that has lost the other nodes is not ready, though it still answers. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import type { Source } from '../../src/workers/database/source.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { loadedServers } from '../support/http-servers.js';
import { createMariadbDatabase, describeGalera, type MariadbDatabase } from '../support/mariadb.js';
import { ask, post, type Program, startProgram, until } from '../support/program.js';
import { mysqlSource, sql } from './mysql-source.js';

describeGalera('a source', (startNode) => {
  let node: Awaited<ReturnType<typeof startNode>>;
  let database: MariadbDatabase;
  let source: Source;

  beforeAll(async () => {
    node = await startNode();
    database = await createMariadbDatabase(node.server);
    await set('CREATE TABLE t (id int PRIMARY KEY) ENGINE = InnoDB');
    await set('CREATE USER reader; GRANT ALL ON *.* TO reader; REVOKE SUPER ON *.* FROM reader');
    await set('REVOKE READ_ONLY ADMIN ON *.* FROM reader');
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

  test('makes /readyz of the program say so', async () => {
    const folder = makeTemporaryDirectory();
    const schema = join(folder, 'schema.json');
    writeFileSync(schema, JSON.stringify(documentOf(database)));
    const start = (httpServer: string) =>
      startProgram(['--http-server', httpServer, '--workers', '1', '--schema', schema]);
    const programs = await Promise.all(loadedServers().map(start));
    const ready = async (program: Program) => {
      const { status, text } = await ask(program, '/readyz');
      return `${status} ${status === 200 ? text : JSON.parse(text).code}`;
    };
    /** Waits until all programs give this answer. */
    const answer = (expected: string) =>
      Promise.all(
        programs.map((program) => until(expected, async () => (await ready(program)) === expected)),
      );
    await answer('200 {"status":"ready"}');
    await set("SET GLOBAL wsrep_cluster_address = ''");
    await answer('503 not-ready');
    for (const program of programs) {
      const refused = await post(program, '/execute', { query: 'T.count()' });
      expect(refused.json()).toMatchObject({ status: 503, code: 'source-unavailable' });
      expect((await ask(program, '/livez')).status).toBe(200);
    }
    await set("SET GLOBAL wsrep_cluster_address = 'gcomm://'");
    await answer('200 {"status":"ready"}');
    await set('SET GLOBAL read_only = ON');
    await answer('200 {"status":"read-only","sources":["default"]}');
    await set('SET GLOBAL read_only = OFF');
    await answer('200 {"status":"ready"}');
    for (const program of programs) expect(await program.stop()).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('is read-only while its user cannot write', async () => {
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

/** The schema file of a program that connects as the user who cannot write while the server is read-only. */
function documentOf({ connection }: MariadbDatabase): object {
  const properties = [{ name: 'id', type: 'integer', required: true }];
  const entity = { name: 'T', primaryKey: ['id'], properties };
  const own = { ...connection, user: 'reader' };
  return {
    domain: { version: '1.0.0', entities: [entity] },
    infrastructure: {
      mappings: [{ name: 'default', entities: [{ name: 'T', mapping: 't' }] }],
      sources: [{ name: 'default', mapping: 'default', dialect: 'MariaDB', connection: own }],
    },
  };
}
