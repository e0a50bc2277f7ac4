/** The lifecycle of the program: signals, disconnected databases and clients, and SIGKILL. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverPid, untilEnded } from '../embedded/processes.js';
import { makeTemporaryDirectory, startTestCluster, withClient } from '../support/embedded.js';
import { describeServers, loadedServers } from '../support/http-servers.js';
import { ask, type Program, post, rowsOf, startProgram, until } from '../support/program.js';
import { connectionUrl, sampleDocument } from '../support/sample.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  let schema: string;
  beforeAll(async () => {
    schema = server.write(`${httpServer}.json`, document());
    program = await server.start([
      ...['--http-server', httpServer, '--workers', '1', '--schema', schema],
      ...['--connections', '2', '--queue-wait-ms', '100', '--worker-stall-ms', '1000'],
    ]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  test('answers the requests in flight at SIGTERM', () => endsInFlight(httpServer, 'SIGTERM'));

  test('ends within the drain time even with requests in flight', async () => {
    const flags = ['--http-server', httpServer, '--workers', '1', '--drain-timeout-ms', '300'];
    const stubborn = await server.start(flags);
    await whileLocked(async () => {
      const slow = post(stubborn, '/execute', { query: 'Shippers.count()' }).catch(() => undefined);
      await until('the statement waits', async () => (await waiting()) === 1);
      const begin = performance.now();
      expect(await stubborn.stop()).toBe(0);
      expect(performance.now() - begin).toBeLessThan(20_000);
      await slow;
    });
  });

  test.each([0, 50, 150])(
    'ends although its schema was reloaded %d ms before, and is to be reloaded again',
    async (beforeMs) => {
      const reloaded = await server.start(['--http-server', httpServer, '--workers', '1']);
      reloaded.signal('SIGHUP');
      await sleep(beforeMs);
      const ended = reloaded.stop();
      reloaded.signal('SIGHUP');
      expect(await ended).toBe(0);
    },
  );

  test('stops the statement of a client that disconnects', async () => {
    await whileLocked(async () => {
      const client = new AbortController();
      const body = JSON.stringify({ query: 'Shippers.count()' });
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, signal: client.signal };
      const slow = ask(program, '/execute', init).catch(() => undefined);
      await until('the statement waits', async () => (await waiting()) === 1);
      client.abort();
      await slow;
      await until('it waits no more', async () => (await waiting()) === 0);
    });
    expect(await rowsOf(program, 'Shippers.count()')).toEqual([{ count: 4 }]);
  });

  test('does not replace a worker whose statement waits', async () => {
    const answer = await whileLocked(async (release) => {
      const slow = post(program, '/execute', { query: 'Shippers.count()' });
      const begin = performance.now();
      await until('a stuck worker would be ended', () => performance.now() - begin > 3000);
      await release();
      return slow;
    });
    expect(answer.text).toBe('[{"count":4}]');
    expect(program.log.filter(({ event }) => event === 'worker-lost')).toEqual([]);
  });

  test('answers 503 if no connection becomes free in time', () =>
    whileLocked(async (release) => {
      const query = 'Shippers.filter(p=>p.id<9).count()';
      const slow = [0, 1, 2].map(() => post(program, '/execute', { query }));
      const late = await Promise.race(slow);
      expect(late.json()).toMatchObject({ status: 503, code: 'queue-timeout' });
      expect(late.headers.get('retry-after')).toBe('1');
      await release();
      const answers = await Promise.all(slow);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    }));

  test('reads the schema again at SIGHUP, and keeps the old one if the new one is invalid', async () => {
    const version = async () => (await ask(program, '/schema/version')).text;
    expect(await version()).toBe('{"version":"1.0.0"}');
    const renamed = document().replaceAll('"Shippers"', '"Carriers"');
    const next = renamed.replaceAll('"mapping":"Carriers"', '"mapping":"Shippers"');
    rewrite(next.replaceAll('"1.0.0"', '"1.1.0"'));
    program.signal('SIGHUP');
    await until('the new one is in force', async () => (await version()).includes('1.1.0'));
    expect(await rowsOf(program, 'Carriers.count()')).toEqual([{ count: 4 }]);
    const gone = await post(program, '/execute', { query: 'Shippers.count()' });
    expect(gone.json()).toMatchObject({ code: 'unknown-entity' });

    for (const broken of ['{"domain":', '{"domain":{"entities":[{"nome":"x"}]}}']) {
      const before = failures(program);
      rewrite(broken);
      program.signal('SIGHUP');
      await until('the failure is logged', () => failures(program) > before);
      expect(await version()).toBe('{"version":"1.1.0"}');
      expect(await rowsOf(program, 'Carriers.count()')).toEqual([{ count: 4 }]);
    }

    rewrite(document());
    program.signal('SIGHUP');
    await until('the first one is in force', async () => (await version()).includes('1.0.0'));
  });

  function rewrite(content: string): void {
    server.write(`${httpServer}.json`, content);
  }
});

test('keeps the schema that was read last if an earlier reload takes longer', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const versioned = (version: string) => document().replaceAll('"1.0.0"', `"${version}"`);
  const unanswered = JSON.stringify(`postgresql://user@127.0.0.1:${port}/none`);
  const schema = server.write('twice.json', document());
  const flags = ['--workers', '1', '--schema', schema, '--connect-timeout-ms', '2000'];
  const program = await server.start(flags);
  try {
    const reloads = () => program.log.filter(({ event }) => event === 'reloaded').length;
    const connected = once(silent, 'connection');
    const url = JSON.stringify(connectionUrl(server.connection));
    server.write('twice.json', versioned('2.0.0').replaceAll(url, unanswered));
    program.signal('SIGHUP');
    await connected;
    server.write('twice.json', versioned('3.0.0'));
    program.signal('SIGHUP');
    await until('both are over', () => reloads() === 2);
    expect((await ask(program, '/schema/version')).text).toBe('{"version":"3.0.0"}');
    expect(await rowsOf(program, 'Shippers.count()')).toEqual([{ count: 4 }]);
  } finally {
    expect(await program.stop()).toBe(0);
    silent.close();
  }
});

test('answers the requests in flight at SIGINT', () => endsInFlight('auto', 'SIGINT'));

test('answers 503 while the database is away, and keeps running', async () => {
  const cluster = await startTestCluster();
  const url = connectionUrl(cluster.connection);
  const program = await startProgram(['--workers', '1'], { DATABASE_URL: url });
  await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  await cluster.stop();
  const ready = await ask(program, '/readyz');
  expect(ready.json()).toMatchObject({ status: 503, code: 'not-ready' });
  const answer = await post(program, '/execute', { query: 'Shippers' });
  expect(answer.json()).toMatchObject({ status: 503, code: 'source-unavailable' });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.text).not.toContain(cluster.connection.host);
  expect((await ask(program, '/livez')).status).toBe(200);
  expect((await post(program, '/plan', { query: 'Shippers' })).status).toBe(200);
  expect(await program.stop()).toBe(0);
});

test('is ready only for reads while the database does not accept writes, as a standby', async () => {
  const start = (name: string) => server.start(['--http-server', name, '--workers', '1']);
  const programs = await Promise.all(loadedServers().map(start));
  const set = (value: 'on' | 'off') =>
    withClient(server.connection, async (client) => {
      // Makes the database read-only for new connections, as a standby is; other tests use the same server.
      await client.query('SET default_transaction_read_only = off');
      const [{ name }] = (await client.query('SELECT quote_ident(current_database()) AS name'))
        .rows;
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    });
  /** Waits until all programs give this answer. */
  const answer = async (expected: string): Promise<void> => {
    for (const program of programs) {
      await until(expected, async () => (await ask(program, '/readyz')).text === expected);
    }
  };
  const query = 'Shippers.filter(p=>p.id==0).delete()';
  try {
    await answer('{"status":"ready"}');
    await set('on');
    await answer('{"status":"read-only","sources":["default"]}');
    for (const program of programs) {
      const refused = await post(program, '/execute', { query });
      expect(refused.json()).toMatchObject({ status: 503, code: 'source-read-only' });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect((await post(program, '/execute', { query: 'Shippers.count()' })).status).toBe(200);
    }
    await set('off');
    await answer('{"status":"ready"}');
    for (const program of programs) {
      expect((await post(program, '/execute', { query })).status).toBe(200);
    }
  } finally {
    await set('off');
    for (const program of programs) expect(await program.stop()).toBe(0);
  }
});

test('serves the sample without any setup; after SIGKILL no server is left, and all rows remain', async () => {
  const folder = makeTemporaryDirectory();
  const flags = ['--workers', '1', '--data-dir', join(folder, 'data')];
  try {
    const killed = await startProgram(flags);
    expect(await rowsOf(killed, 'Orders.count()')).toEqual([{ count: 900 }]);
    const postgres = serverPid(join(folder, 'data'));
    killed.signal('SIGKILL');
    expect(await killed.ended).toBeNull();
    await untilEnded(postgres);

    const second = await startProgram(flags);
    expect(await rowsOf(second, 'Orders.count()')).toEqual([{ count: 900 }]);
    const next = serverPid(join(folder, 'data'));
    expect(await second.stop()).toBe(0);
    await untilEnded(next);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Stops the program while a request is waiting, which is still answered. */
async function endsInFlight(httpServer: string, signal: NodeJS.Signals): Promise<void> {
  const program = await server.start(['--http-server', httpServer, '--workers', '1']);
  const answer = await whileLocked(async (release) => {
    const slow = post(program, '/execute', { query: 'Shippers.count()' });
    await until('the statement waits', async () => (await waiting()) === 1);
    program.signal(signal);
    await until('the drain begins', () => program.log.some(({ event }) => event === 'draining'));
    await expect(ask(program, '/ping')).rejects.toThrow();
    await release();
    return slow;
  });
  expect([answer.status, answer.text]).toEqual([200, '[{"count":4}]']);
  expect(await program.ended).toBe(0);
  expect(program.log.at(-1)).toMatchObject({ event: 'stopped' });
}

function document(): string {
  return JSON.stringify(sampleDocument(server.connection));
}

/** Runs `work` while Shippers is locked against all other readers; `release` unlocks it. */
async function whileLocked<Result>(
  work: (release: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  return withClient(server.connection, async (client) => {
    await client.query('BEGIN; LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
    return work(() => client.query('ROLLBACK'));
  });
}

/** The number of the program's statements that wait for a lock. */
function waiting(): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'rowgate' AND wait_event_type = 'Lock'`;
  return withClient(server.connection, async (client) => (await client.query(text)).rows[0].n);
}

function failures({ log }: Program): number {
  return log.filter(({ event }) => event === 'reload-failed').length;
}
