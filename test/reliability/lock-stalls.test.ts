/**
 * While a table that all clients use is locked for different times, every request is answered within
 * its limits. With `ROWGATE_TEST_STALLS_SECONDS=600`, the test runs for ten minutes, with locks of up
 * to a minute.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { ask, post, type Program, rowsOf, startProgram } from '../support/program.js';
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

const requests = [
  { query: 'Shippers.filter(p=>p.id==id)', data: { id: 2 } },
  { query: 'Shippers.sort(p=>p.id)', data: {} },
  { query: 'Orders.filter(p=>p.id==id).include(p=>p.customer)', data: { id: 7 } },
  { query: 'Shippers.filter(p=>p.id==id).update({phone: phone})', data: { id: 3, phone: '1' } },
];

/** Sends requests while another session locks the table again and again. */
async function stall(program: Program, lock: (lockMs: number) => Promise<void>): Promise<void> {
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

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('locks on PostgreSQL, served by %s', (httpServer) => {
  test(
    'hang nobody',
    async () => {
      const program = await server.start(['--http-server', httpServer, ...FLAGS]);
      await stall(program, (lockMs) =>
        withClient(server.connection, async (client) => {
          await client.query('BEGIN; LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
          await sleep(lockMs);
          await client.query('ROLLBACK');
        }),
      );
    },
    END_MS,
  );
});

describeMariadb('locks', () => {
  test(
    'hang nobody',
    async () => {
      const database = await createMariadbDatabase();
      await fillMariadbWithSample(database);
      const folder = makeTemporaryDirectory();
      const schema = join(folder, 'schema.json');
      writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
      const program = await startProgram(['--workers', '2', '--schema', schema, ...FLAGS]);
      await stall(program, (lockMs) =>
        database.withClient(async (client) => {
          await client.query('LOCK TABLES Shippers WRITE');
          await sleep(lockMs);
          await client.query('UNLOCK TABLES');
        }),
      );
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
    END_MS,
  );
});
