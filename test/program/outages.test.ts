/**
 * An outage is detected within five seconds, with its cause: in the log, in the metrics and in
 * `/stats`. This needs no request, unless requests use up the connections.
 */
import { randomUUID } from 'node:crypto';
import mariadb from 'mariadb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory, startTestCluster, withClient } from '../support/embedded.js';
import { loadedServers } from '../support/http-servers.js';
import { describeOwnMariadb } from '../support/mariadb.js';
import { post, type Program, startProgram, until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { LOOSER } from '../support/looser.js';
import { writeShelfSchema } from '../support/shelf-schema.js';
import { metricsOf, statsOf } from './statistics.js';

const SEEN_MS = 5000 * LOOSER;
const TABLE = 'CREATE TABLE shelf (id integer PRIMARY KEY, name varchar(20))';

/** A separate server, which the suite can stop. */
interface OwnServer {
  readonly dialect: string;
  readonly url: string;
  /** Runs statements, and keeps their session open until `work` has ended. */
  during(statements: readonly string[], work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** How each database refuses a user, and locks a table against readers. */
interface Ways {
  readonly start: () => Promise<OwnServer>;
  readonly wrongUrl: (url: string) => string;
  readonly prepare: readonly string[];
  readonly refused: RegExp;
  readonly lock: readonly string[];
}

describe('an outage of PostgreSQL', () => {
  suite({
    start: async () => {
      const { connection, stop } = await startTestCluster();
      const during: OwnServer['during'] = (statements, work) =>
        withClient(connection, async (client) => {
          for (const each of statements) await client.query(each);
          await work();
        });
      return { dialect: 'PostgreSQL', url: connectionUrl(connection), during, stop };
    },
    prepare: [TABLE, 'CREATE ROLE locked NOLOGIN'],
    wrongUrl: (url) => url.replace(/\/\/[^@]+@/, '//locked@'),
    refused: /role "locked" is not permitted to log in/,
    lock: ['BEGIN', 'LOCK TABLE shelf IN ACCESS EXCLUSIVE MODE'],
  });
});

describeOwnMariadb('an outage', (startServer) => {
  suite({
    start: async () => {
      const { server, stop } = await startServer([]);
      const client = await mariadb.createConnection(server);
      await client.query('CREATE DATABASE stock');
      await client.end();
      const database = { ...server, database: 'stock' };
      const during: OwnServer['during'] = async (statements, work) => {
        const session = await mariadb.createConnection(database);
        for (const each of statements) await session.query(each);
        await work();
        await session.end();
      };
      const url = `mysql://root:@${server.host}:${server.port}/stock`;
      return { dialect: 'MariaDB', url, during, stop };
    },
    prepare: [TABLE, `CREATE USER known@'%' IDENTIFIED BY '${randomUUID()}'`],
    wrongUrl: (url) => url.replace('root:@', 'known:wrong@'),
    refused: /Access denied for user 'known'/,
    lock: ['LOCK TABLE shelf WRITE'],
  });
});

function suite({ start, prepare, wrongUrl, refused, lock }: Ways): void {
  const folder = makeTemporaryDirectory();
  const programs: Program[] = [];
  let server: OwnServer;
  let isRunning = true;

  beforeAll(async () => {
    server = await start();
    await server.during(prepare, async () => undefined);
  });
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    if (isRunning) await server.stop();
  });

  async function serve(url: string, ...flags: readonly string[]): Promise<Program> {
    const file = writeShelfSchema(folder, server.dialect, url);
    const program = await startProgram(['--schema', file, '--workers', '1', ...flags]);
    programs.push(program);
    // When a worker has compiled it, the database is asked for its state.
    await post(program, '/plan', { query: 'shelf' });
    return program;
  }

  /** Waits until the state is reported in all three places, and returns its log line. */
  async function seen(program: Program, state: string, cause: string) {
    const isIn = async (): Promise<boolean> => {
      const [source] = (await statsOf(program)).sources;
      const metrics = await metricsOf(program);
      const fault = `rowgate_source_fault{source="main",state="${state}",cause="${cause}"} 1`;
      const isDown = metrics.includes('rowgate_source_up{source="main"} 0');
      const isReportedBy = source?.state === state && source.cause === cause;
      return isReportedBy && isDown && metrics.includes(fault);
    };
    await until(`the source is ${state}: ${cause}`, isIn, SEEN_MS);
    return until('that is logged', () =>
      program.log.find((line) => line['event'] === 'source-state' && line['state'] === state),
    );
  }

  /** Waits until the source was found to be ready. */
  const untilUp = (program: Program) =>
    until('the source is ready', async () => {
      return (await metricsOf(program)).includes('rowgate_source_up{source="main"} 1');
    });

  test.each(loadedServers())('a wrong password is detected, with %s', async (http) => {
    const program = await serve(wrongUrl(server.url), '--http-server', http);
    const cause = 'The database cannot be reached: its user or password was refused.';
    expect(await seen(program, 'away', cause)).toMatchObject({
      level: 40,
      source: 'main',
      state: 'away',
      cause,
      reason: expect.stringMatching(refused),
    });
  });

  test.each(loadedServers())('exhausted connections are detected, with %s', async (http) => {
    const flags = ['--http-server', http, '--connections', '2', '--queue-wait-ms', '60000'];
    const program = await serve(server.url, ...flags);
    await untilUp(program);
    await server.during(lock, async () => {
      const reads = Array.from({ length: 4 }, (_, n) =>
        post(program, '/execute', { query: `shelf.filter(p=>p.id>${n}).map(p=>p.id)` }).catch(
          () => undefined,
        ),
      );
      const cause = 'All connections are in use, and requests wait for one.';
      expect(await seen(program, 'exhausted', cause)).toMatchObject({ state: 'exhausted', cause });
      const [source] = (await statsOf(program)).sources;
      expect(source?.pool).toMatchObject({ max: 2, inUse: 2, idle: 0 });
      expect(source?.pool.waiting).toBeGreaterThan(0);
      expect(await metricsOf(program)).toMatch(/rowgate_pool_waiting\{source="main"\} [1-9]/);
      void Promise.all(reads);
    });
    await untilUp(program);
  });

  test('a stopped database is detected', async () => {
    const served = await Promise.all(
      loadedServers().map((http) => serve(server.url, '--http-server', http)),
    );
    for (const program of served) await untilUp(program);
    await server.stop();
    isRunning = false;
    const cause = 'The database cannot be reached: the connection was refused.';
    for (const program of served) {
      // A connection may be lost before another one is refused; the loss has no other reason on MariaDB.
      const away = await seen(program, 'away', cause);
      expect(away?.['reason'] ?? 'shutting down').toMatch(
        /ECONNREFUSED|ENOENT|ECONNRESET|shutting down/,
      );
      const refusal = await post(program, '/execute', { query: 'shelf' });
      expect(refusal.status).toBe(503);
      const line = await until('the request is logged', () =>
        program.log.find(({ code }) => code === 'source-unavailable'),
      );
      expect(line).toMatchObject({ event: 'request', level: 40, status: 503 });
      expect((await statsOf(program)).requests.errors).toMatchObject({ 'source-unavailable': 1 });
    }
  });
}
