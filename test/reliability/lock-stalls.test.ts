/**
 * While a table that all clients use is locked for different times, every request is answered within
 * its limits. With `ROWGATE_TEST_STALLS_SECONDS=600`, the test runs for ten minutes, with locks of up
 * to a minute. After a long lock (of 45 s with at least 120 seconds), reads are as fast as before.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { describeServers, loadedServers } from '../support/http-servers.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { Connection, executeRequest } from '../support/open-load.js';
import { ask, post, type Program, rowsOf, startProgram, until } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261122');
const STALLS_MS = 1000 * Number(process.env['ROWGATE_TEST_STALLS_SECONDS'] ?? '9');
const CLIENTS = 40;
const LIMITS_MS = 2500;
const FLAGS = ['statement-timeout-ms', 'transaction-timeout-ms', 'queue-wait-ms'].flatMap(
  (flag) => [`--${flag}`, String(LIMITS_MS)],
);
/**
 * A request waits for a connection and then for the lock. If it ran in a batch, it runs once more
 * alone. The rest is a margin for a busy machine.
 */
const ANSWER_MS_MAX = 4 * LIMITS_MS + 10_000;
/** Below and above the limits; the longest lock only if there is time for it. */
const LOCKS_MS = [50, 150, 400, 4000, 60_000].filter((lockMs) => lockMs <= STALLS_MS / 2);
/** Served, refused for lack of a connection, and timed out. */
const STATUSES = new Set([200, 503, 504]);
const END_MS = STALLS_MS + LIMITS_MS + 90_000;

/** Clients that read during one long lock, and how long it lasts. */
const READERS = 200;
const LONG_LOCK_MS = STALLS_MS < 120_000 ? 6000 : 45_000;
/** The rate of reads is measured for this long, and this part of it must come back in time. */
const RATE_MS = 1000;
const RATE_PART = 0.6;
const BACK_MS = 60_000;
const LONG_END_MS = LONG_LOCK_MS + BACK_MS + 90_000;

const requests = [
  { query: 'Shippers.filter(p=>p.id==id)', data: { id: 2 } },
  { query: 'Shippers.sort(p=>p.id)', data: {} },
  { query: 'Orders.filter(p=>p.id==id).include(p=>p.customer)', data: { id: 7 } },
  { query: 'Shippers.filter(p=>p.id==id).update({phone: phone})', data: { id: 3, phone: '1' } },
];

/** Sends requests while another session locks the table again and again. */
async function stall(program: Program, lock: Lock): Promise<void> {
  const random = createRandom(SEED);
  const end = performance.now() + STALLS_MS;
  const seen = new Map<number, number>();
  const slow: string[] = [];
  const use = async (): Promise<void> => {
    while (performance.now() < end) {
      const body = requests[random(requests.length)];
      const begin = performance.now();
      const { status } = await post(program, '/execute', body);
      const tookMs = performance.now() - begin;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (tookMs > ANSWER_MS_MAX) slow.push(`${status} ${tookMs} ${JSON.stringify(body)}`);
      // A client does not retry at once after a refusal.
      if (status !== 200) await sleep(50);
    }
  };
  const locking = async (): Promise<void> => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      await lock(LOCKS_MS[turn % LOCKS_MS.length] ?? 0);
      await sleep(random(200));
    }
  };
  await Promise.all([locking(), ...Array.from({ length: CLIENTS }, use)]);
  expect([...seen.keys()].filter((status) => !STATUSES.has(status))).toEqual([]);
  expect(seen.get(200)).toBeGreaterThan(0);
  expect(slow).toEqual([]);
  const metrics = (await ask(program, '/metrics')).text;
  expect(/\nrowgate_requests_overdue_total \d+\n/.exec(metrics)?.[0].trim()).toMatch(/ 0$/);
  expect(await rowsOf(program, 'Shippers.count()')).toEqual([{ count: 4 }]);
  expect(await program.stop()).toBe(0);
}

/** Lets many clients read one row each, before, during and after a lock. */
async function readThroughLock(program: Program, lock: Lock): Promise<void> {
  const statuses = new Map<number, number>();
  const wrong: string[] = [];
  let longestMs = 0;
  let right = 0;
  let isOver = false;
  const read = async (): Promise<void> => {
    const connection = new Connection(program.port);
    for (let id = 1; !isOver; id = 1 + (id % 3)) {
      const begin = performance.now();
      const request = executeRequest('Shippers.filter(p=>p.id==id).map(p=>p.id)', { id });
      const { status, text } = await connection.ask(request);
      longestMs = Math.max(longestMs, performance.now() - begin);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) await sleep(50);
      else if (text === `[{"id":${id}}]`) right += 1;
      else wrong.push(text);
    }
    connection.end();
  };
  const rate = async (): Promise<number> => {
    const [before, begin] = [right, performance.now()];
    await sleep(RATE_MS);
    return (1000 * (right - before)) / (performance.now() - begin);
  };
  const readers = Promise.all(Array.from({ length: READERS }, read));
  try {
    await until('they are answered', rate);
    const usual = await until('the rate is measured', rate);
    await lock(LONG_LOCK_MS);
    const begin = performance.now();
    const after = await until(
      'the rate is as before',
      async () => {
        const now = await rate();
        return now > RATE_PART * usual ? now : 0;
      },
      BACK_MS,
    );
    const backMs = performance.now() - begin;
    console.log(
      `${LONG_LOCK_MS} ms of a lock: ${usual.toFixed(0)} reads/s before and ${after.toFixed(0)} after it, ` +
        `measured ${backMs.toFixed(0)} ms after it; at most ${longestMs.toFixed(0)} ms; ` +
        `statuses ${JSON.stringify([...statuses])}`,
    );
  } finally {
    isOver = true;
    await readers;
  }
  expect(wrong).toEqual([]);
  expect([...statuses.keys()].filter((status) => !STATUSES.has(status))).toEqual([]);
  expect(longestMs).toBeLessThan(ANSWER_MS_MAX);
  expect(await program.stop()).toBe(0);
}

/** Locks the table of all requests for so many milliseconds. */
type Lock = (lockMs: number) => Promise<void>;

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

const lockOnPostgresql: Lock = (lockMs) =>
  withClient(server.connection, async (client) => {
    await client.query('BEGIN; LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
    await sleep(lockMs);
    await client.query('ROLLBACK');
  });

describeServers('locks on PostgreSQL, served by %s', (httpServer) => {
  const start = () => server.start(['--http-server', httpServer, ...FLAGS]);

  test('hang nobody', async () => stall(await start(), lockOnPostgresql), END_MS);
  test(
    'of many seconds leave reads as fast as before',
    async () => readThroughLock(await start(), lockOnPostgresql),
    LONG_END_MS,
  );
});

describeMariadb('locks', () => {
  let database: MariadbDatabase;
  let schema: string;
  const folder = makeTemporaryDirectory();
  beforeAll(async () => {
    database = await createMariadbDatabase();
    await fillMariadbWithSample(database);
    schema = join(folder, 'schema.json');
    writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (flags: readonly string[] = []) =>
    startProgram(['--workers', '2', '--schema', schema, ...FLAGS, ...flags]);
  const lock: Lock = (lockMs) =>
    database.withClient(async (client) => {
      await client.query('LOCK TABLES Shippers WRITE');
      await sleep(lockMs);
      await client.query('UNLOCK TABLES');
    });

  test('hang nobody', async () => stall(await start(), lock), END_MS);
  test.each(loadedServers())(
    'of many seconds leave reads as fast as before, served by %s',
    async (httpServer) => readThroughLock(await start(['--http-server', httpServer]), lock),
    LONG_END_MS,
  );
});
