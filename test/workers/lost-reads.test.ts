/**
 * Connections that die unnoticed between two requests: reads run again on a new connection, so that
 * no client notices, but writes do not.
 */
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection, DialectName } from '../../src/engine/index.js';
import { createCancellation } from '../../src/workers/cancellation.js';
import { startMariadbFixture } from '../mariadb/fixture.js';
import { describeMariadb } from '../support/mariadb.js';
import { type DoomingProxy, startDoomingProxy } from './dooming-proxy.js';
import { startFixture } from './fixture.js';
import { schemaDocument } from './schema-document.js';
import { startWorker, type TestGateway, type TestWorker } from './test-worker.js';

const LEASED = 3;
const point = 'Points.filter(p=>p.id==id).map(p=>p.id)';
const related = 'Orders.filter(p=>p.id==id).include(p=>p.details)';
const long = 'Many.filter(p=>p.id<=n).map(p=>p.id)';
const page = 'Points.sort(p=>p.id).page(1,2).map(p=>p.id)';
const insert = 'Points.insert()';

/** The database of a suite. */
interface Stage {
  readonly connection: Connection;
  readonly dialect: DialectName;
  readonly connect: () => net.Socket;
  readonly sql: (text: string) => Promise<readonly unknown[]>;
  readonly stop: () => Promise<void>;
}

describe('a connection of PostgreSQL that dies unnoticed', () => {
  suite(async () => {
    const { connection, sql, stop } = await startFixture();
    const socket = `${connection.host}/.s.PGSQL.${connection.port}`;
    const connect = () => net.connect(socket);
    return { connection: { ...connection }, dialect: 'PostgreSQL', connect, sql, stop };
  });
});

describeMariadb('a connection that dies unnoticed', () => {
  suite(async () => {
    const { database, sql, stop } = await startMariadbFixture();
    const { connection } = database;
    const connect = () => net.connect(connection.port, connection.host);
    return { connection, dialect: 'MariaDB', connect, sql, stop };
  });
});

function suite(start: () => Promise<Stage>): void {
  let stage: Stage;
  let proxy: DoomingProxy;
  let worker: TestWorker;
  let gateway: TestGateway;

  beforeAll(async () => {
    stage = await start();
    proxy = await startDoomingProxy(stage.connect);
    const connection = { ...stage.connection, host: '127.0.0.1', port: proxy.port };
    const changes = { connectionsPerSource: LEASED + 1 };
    worker = startWorker(schemaDocument(connection, stage.dialect), changes);
    ({ gateway } = worker);
  });
  afterAll(async () => {
    await worker.close();
    await proxy.close();
    await stage.stop();
  });

  /** Opens several connections of the worker, and lets them die. */
  const doomAll = async (): Promise<void> => {
    await gateway.rows(point, { id: 1 });
    const source = worker.context.sources.get('source');
    const held = Array.from({ length: LEASED }, () => source.lease(createCancellation()));
    for (const lease of await Promise.all(held)) lease.release();
    proxy.doom();
  };

  const transaction = (query: string, data: unknown, isSingle = false) =>
    gateway.answers([[query, data]], { isSingle });

  test.each<readonly [name: string, read: () => Promise<unknown>, expected: unknown]>([
    ['a single row', () => gateway.rows(point, { id: 7 }), [{ id: 7 }]],
    ['a page', () => gateway.rows(page), [{ id: 1 }, { id: 2 }]],
    ['included rows', () => gateway.rows(related, { id: 1 }), [expect.objectContaining({ id: 1 })]],
    ['a transaction that only reads', () => transaction(point, { id: 8 }), [[{ id: 8 }]]],
    ['a single step', () => transaction(point, { id: 9 }, true), [{ id: 9 }]],
  ])('does not fail the read of %s', async (_, read, expected) => {
    expect(await read()).toEqual(expected);
    for (let times = 0; times < 3; times += 1) {
      await doomAll();
      expect(await read()).toEqual(expected);
    }
  });

  test('does not fail a stream of which nothing was sent', async () => {
    const count = async (): Promise<number> => {
      const rows = await gateway.rows(long, { n: 100_000 });
      return Array.isArray(rows) ? rows.length : 0;
    };
    expect(await count()).toBe(100_000);
    await doomAll();
    expect(await count()).toBe(100_000);
  });

  test('fails a stream of which a part was sent', async () => {
    const onPart = () => proxy.cut();
    // More bytes than the system can have received before the cut.
    const read = gateway.execute('Many', { onPart });
    await expect(read).rejects.toMatchObject({
      problem: { code: 'source-unavailable' },
      afterParts: true,
    });
  });

  test('does not fail many reads at once', async () => {
    await doomAll();
    const ids = Array.from({ length: 100 }, (_, n) => n + 1);
    const all = await Promise.all(ids.map((id) => gateway.rows(point, { id })));
    expect(all).toEqual(ids.map((id) => [{ id }]));
  });

  const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['a write', () => gateway.execute(insert, { data: { id: 2001 } })],
    ['a transaction that writes', () => transaction(insert, { id: 2002 })],
  ];
  test.each(writes)('fails %s, which is not sent again', async (_, write) => {
    await doomAll();
    await expect(write()).rejects.toMatchObject({
      problem: { code: expect.stringMatching(/^(source-unavailable|outcome-unknown)$/) },
    });
    expect(await stage.sql('SELECT id FROM points WHERE id > 2000')).toEqual([]);
  });
}
