import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import { type Fixture, startFixture } from './fixture.js';
import { testProbes } from './probe-suite.js';
import { schemaDocument } from './schema-document.js';
import { startWorker } from './test-worker.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const point = 'Points.filter(p=>p.id==id).map(p=>p.id)';

test('a statement over its time limit is stopped', () =>
  fixture.withWorker({ statementTimeoutMs: 200, connectionsPerSource: 1 }, async (gateway) => {
    const answer = gateway.execute('Slow');
    await expect(answer).rejects.toMatchObject({
      problem: { code: 'statement-timeout' },
    });
    expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
  }));

test('waiting for a connection is limited', () =>
  fixture.withWorker({ connectionsPerSource: 1, connectionWaitMs: 100 }, async (gateway) => {
    await gateway.compile('Slow');
    const slow = gateway.start('Slow');
    const code = 'queue-timeout';
    await expect(gateway.execute(point, { data: { id: 1 } })).rejects.toMatchObject({
      problem: { code },
    });
    gateway.cancel(slow.id);
    await expect(slow.received).rejects.toMatchObject({ problem: { code: 'cancelled' } });
  }));

test('a terminated backend fails its request, and the pool recovers', () =>
  fixture.withWorker({ connectionsPerSource: 3 }, async (gateway) => {
    await gateway.compile('Slow');
    const requests = [gateway.start('Slow'), gateway.start('Slow')];
    await endBackends(2, LONG_S);
    const code = 'source-unavailable';
    for (const { received } of requests) {
      await expect(received).rejects.toMatchObject({ problem: { code } });
    }
    expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
  }));

test('a terminated idle connection is replaced', () =>
  fixture.withWorker({ connectionsPerSource: 1 }, async (gateway) => {
    expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    await endBackends(1);
    await sleep(50);
    expect(await gateway.rows(point, { id: 2 })).toEqual([{ id: 2 }]);
  }));

test('a prepared statement survives changes of its table', () =>
  fixture.withWorker({ connectionsPerSource: 4 }, async (gateway) => {
    const query = 'Points.filter(p=>p.id==id).map(p=>p.qty)';
    const atOnce = () => Promise.all([1, 2, 3, 4].map((id) => gateway.rows(query, { id })));
    const expected = [1, 2, 3, 4].map((qty) => [{ qty }]);
    await gateway.compile(query);
    expect(await atOnce()).toEqual(expected);
    await fixture.sql('ALTER TABLE points ALTER COLUMN qty TYPE int8');
    expect(await atOnce()).toEqual(expected);
    await fixture.sql('ALTER TABLE points ALTER COLUMN qty TYPE int4');
    expect(await atOnce()).toEqual(expected);
  }));

test('prepared statements of an include survive changes of their tables', () =>
  fixture.withWorker({ connectionsPerSource: 1 }, async (gateway) => {
    const query = 'Orders.filter(p=>p.id==id).include(p=>p.details)';
    const before = await gateway.rows(query, { id: 8 });
    await fixture.sql(
      'ALTER TABLE details ALTER qty TYPE int8; ALTER TABLE orders ALTER customer TYPE varchar(9)',
    );
    expect(await gateway.rows(query, { id: 8 })).toEqual(before);
  }));

test('prepared statements that the server has lost are parsed again', () =>
  fixture.withWorker({ connectionsPerSource: 1 }, async (gateway, worker) => {
    expect(await gateway.rows(point, { id: 1 })).toEqual([{ id: 1 }]);
    const source = worker.context.sources.get('source');
    const lease = await source.lease(createCancellation());
    await lease.write([{ text: 'DEALLOCATE ALL', parameters: [] }], true);
    lease.release();
    expect(await gateway.rows(point, { id: 2 })).toEqual([{ id: 2 }]);
  }));

test('statements beyond the limit of a connection are closed and parsed again', () =>
  fixture.withWorker({ connectionsPerSource: 1, plansMax: 1000 }, async (gateway) => {
    const queries = Array.from(
      { length: 300 },
      (_, n) => `Points.filter(p=>p.id==id && p.id<${1e6 + n})`,
    );
    for (const round of [1, 2]) {
      for (const query of queries) expect(await gateway.rows(query, { id: round })).toHaveLength(1);
    }
  }));

testProbes(() => fixture, '42P01');

test('a connection is established however busy its thread is', () =>
  fixture.withWorker({ connectionsPerSource: 1, connectTimeoutMs: 50 }, async (gateway) => {
    await gateway.compile(point);
    const { received } = gateway.start(point, { data: { id: 1 } });
    for (let turn = 0; turn < 6; turn += 1) {
      keepBusy(100);
      await nextTurn();
    }
    expect(JSON.parse((await received).text)).toHaveLength(1);
  }));

test('a server that does not answer is unavailable in time', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const silent = { ...fixture.connection, host: '127.0.0.1', port: portOf(server) };
  const worker = startWorker(schemaDocument(silent), { connectTimeoutMs: 200 });
  try {
    const before = performance.now();
    await expect(worker.gateway.execute(point, { data: { id: 1 } })).rejects.toMatchObject({
      problem: { code: 'source-unavailable' },
    });
    expect(performance.now() - before).toBeGreaterThan(150);
  } finally {
    await worker.close();
    server.close();
  }
});

test('requests do not all try a source that closes connections, and it is used again when it is back', async () => {
  const { connection } = fixture;
  let isUp = false;
  let attempts = 0;
  const proxy = createServer((client) => {
    attempts += 1;
    if (!isUp) {
      client.destroy();
      return;
    }
    const server = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const worker = startWorker(
    schemaDocument({ ...connection, host: '127.0.0.1', port: portOf(proxy) }),
  );
  const ask = () => worker.gateway.execute(point, { data: { id: 1 } });
  try {
    const begin = performance.now();
    for (let times = 0; times < 300; times += 1) {
      await expect(ask()).rejects.toMatchObject({ problem: { code: 'source-unavailable' } });
    }
    // From the third attempt on, each waits for at least 10 ms, and later ones for 250 ms.
    expect(attempts).toBeLessThan(8 + (performance.now() - begin) / 200);
    isUp = true;
    await vi.waitUntil(() => ask().then(Boolean, () => false), { timeout: 30_000, interval: 10 });
  } finally {
    await worker.close();
    proxy.close();
  }
});

test('a source that cannot be reached is unavailable', async () => {
  const worker = startWorker(schemaDocument({ ...fixture.connection, port: 1 }));
  try {
    await expect(worker.gateway.execute(point, { data: { id: 1 } })).rejects.toMatchObject({
      problem: { code: 'source-unavailable' },
    });
    expect(await worker.gateway.probe(false)).toBe(false);
    await expect(worker.gateway.probe(true)).rejects.toMatchObject({
      problem: { code: 'source-unavailable' },
    });
  } finally {
    await worker.close();
  }
});

/** A read that fails earlier runs again. */
const LONG_S = 1.5;

/** Ends the backends of `count` connections of Rowgate as soon as that many have run for this long. */
async function endBackends(count: number, seconds = 0): Promise<void> {
  for (;;) {
    const [row] = await fixture.sql(`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'
        AND query <> '' AND clock_timestamp() - query_start >= make_interval(secs => ${seconds})`);
    if (row?.['count'] === count) break;
    await sleep(5);
  }
  await fixture.sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'",
  );
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function keepBusy(forMs: number): void {
  const end = performance.now() + forMs;
  let now = performance.now();
  while (now < end) now = performance.now();
}
