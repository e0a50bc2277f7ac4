import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type Program, rowsOf, until } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { type LargeFixture, MIB, residentBytes, startLargeFixture } from './large-fixture.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261121');
/** How long clients connect and disconnect; `ROWGATE_STORM_MS=60000` makes it a minute. */
const STORM_MS = Number(process.env['ROWGATE_STORM_MS'] ?? '5000');
const CLIENTS = 200;
const CONNECTIONS = 8;
const STAY_MS = 400;
/**
 * The time until everything that the clients left behind has ended. It is below the limits that would
 * end it anyway: 30 s for a statement, and 60 s for a client that reads nothing. On a busy machine, the
 * program needs seconds to notice that 200 clients have disconnected.
 */
const END_MS = 20_000;

const QUERIES = [
  'Throttled',
  'Parents.include(p=>p.children)',
  'Parents.filter(p=>p.id==7)',
  'Megabytes',
  'Wide',
  'Throttled.sort(p=>p.name)',
];

let fixture: LargeFixture;
beforeAll(async () => {
  fixture = await startLargeFixture();
});
afterAll(() => fixture.stop());

/** On a busy machine, some requests wait longer than `--queue-wait-ms`. */
function onRefusal(error: Error): undefined {
  if (!error.message.includes('queue-timeout')) throw error;
}

/** The running statements of the program, and its connections. */
async function count(): Promise<{ readonly running: number; readonly connections: number }> {
  const [row] = await fixture.sql(`
    SELECT count(*)::int AS connections,
      count(*) FILTER (WHERE state <> 'idle')::int AS running
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'`);
  return { running: Number(row?.['running']), connections: Number(row?.['connections']) };
}

/** Sends a request, and disconnects after `stayMs` or at the end of the answer. */
function askAndGo({ port }: Program, query: string, stayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request({ port, host: '127.0.0.1', path: '/execute', method: 'POST', headers });
    asked.on('response', (response) => response.on('error', () => undefined).resume());
    asked.on('error', () => undefined);
    asked.on('close', resolve);
    asked.end(JSON.stringify({ query }));
    setTimeout(() => asked.destroy(), stayMs);
  });
}

describeServers('on %s', (server) => {
  test(
    'clients that go away at any moment leave nothing behind',
    async () => {
      const flags = ['--http-server', server, '--connections', String(CONNECTIONS)];
      const program = await fixture.start([...flags, '--queue-wait-ms', '500']);
      try {
        const random = createRandom(SEED);
        const startedAt = performance.now();
        const passed = () => performance.now() - startedAt;
        let early = 0;
        let late = 0;
        const comeAndGo = async () => {
          while (passed() < STORM_MS) {
            const query = QUERIES[random(QUERIES.length)] ?? '';
            await askAndGo(program, query, random(STAY_MS));
            // The heap reaches its size in the first half, or nearly so.
            if (passed() < STORM_MS / 2) early = Math.max(early, residentBytes(program));
            else late = Math.max(late, residentBytes(program));
          }
        };
        await Promise.all(Array.from({ length: CLIENTS }, comeAndGo));
        const goneAt = performance.now();
        await until('no statement runs', async () => (await count()).running === 0);
        expect(performance.now() - goneAt).toBeLessThan(END_MS);
        expect((await count()).connections).toBeLessThanOrEqual(CONNECTIONS);
        expect(late - early).toBeLessThan(160 * MIB);
        // Every connection is usable: more requests than connections are answered at the same time.
        const query = 'Parents.filter(p=>p.id==id).include(p=>p.children.sort(p=>p.id))';
        const answered = (id: number) =>
          until('a request is not refused', () => rowsOf(program, query, { id }).catch(onRefusal));
        const answers = Array.from({ length: 4 * CONNECTIONS }, (_, id) => answered(id));
        for (const [id, answer] of (await Promise.all(answers)).entries()) {
          const children = [0, 1, 2, 3].map((c) => ({ id: id * 4 + c, parent: id, name: `c${c}` }));
          expect(answer).toEqual([{ id, name: `p${id}`, children }]);
        }
        expect(program.log.filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
      } finally {
        await program.stop();
      }
    },
    STORM_MS + 60_000,
  );
});
