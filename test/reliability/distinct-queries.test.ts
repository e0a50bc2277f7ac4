/**
 * Queries that never repeat, as a program that writes values into its queries sends them: each gets
 * its answer, and the memory of their plans is bounded. `ROWGATE_TEST_DISTINCT_QUERIES=500000` sends
 * that many.
 */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { rawPost } from '../http/raw-client.js';
import { residentBytes } from '../program/large-fixture.js';
import { describeMariadbProgram } from '../support/mariadb-program.js';
import { Connection } from '../support/open-load.js';
import type { Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const QUERIES = Number(process.env['ROWGATE_TEST_DISTINCT_QUERIES'] ?? '15000');
const CLIENTS = 8;
const MIB = 1 << 20;
/** The short run has a smaller plan cache. It would need 260 MiB if no plan were dropped. */
const isShort = QUERIES <= 30_000;
const CACHE = isShort ? ['--plan-cache-bytes', String(8 * MIB)] : [];
const GROWTH_MAX = (isShort ? 220 : 256) * MIB;
/** Conditions in a query: enough that the plans of the shorter run would exceed the limit, too. */
const CONDITIONS = 5;
const PRODUCTS = 77;

const idOf = (n: number): number => 1 + (n % PRODUCTS);

/** A query with its own literals, which finds one product. */
function queryOf(n: number): string {
  const conditions = Array.from(
    { length: CONDITIONS },
    (_, at) => `p.id!=${1000 + n * CONDITIONS + at}`,
  );
  return `Products.filter(p=>p.id==${idOf(n)} && ${conditions.join(' && ')}).map(p=>p.id)`;
}

/** From which query on plans are shared. */
const KINDS = [
  ['separate plans', '0'],
  ['a shared plan', '8'],
] as const;
const LIMIT_MS = 60_000 + 10 * QUERIES;

describe('on PostgreSQL', () => {
  let server: SampleServer;
  beforeAll(async () => {
    server = await startSampleServer();
  });
  afterAll(() => server.stop());

  test.each(KINDS)(
    'distinct queries with %s are answered, and take a bounded part of memory',
    async (_, shareFrom) => {
      const program = await server.start(['--share-plans-from', shareFrom, ...CACHE]);
      onTestFinished(async () => void (await program.stop()));
      await sendAll(program);
    },
    LIMIT_MS,
  );
});

for (const [name, shareFrom] of KINDS) {
  const flags = ['--workers', '2', '--share-plans-from', shareFrom, ...CACHE];
  describeMariadbProgram(`the program with ${name}`, flags, (served) => {
    test(
      'distinct queries are answered, and take a bounded part of memory',
      () => sendAll(served.program),
      LIMIT_MS,
    );
  });
}

/** Sends all queries, and asserts what each is answered and how much memory the program takes. */
async function sendAll(program: Program): Promise<void> {
  const headers = ['content-type: application/json'];
  const requestOf = (n: number) =>
    rawPost('/execute', JSON.stringify({ query: queryOf(n) }), headers);
  const start = residentBytes(program);
  let most = start;
  let sent = 0;
  let wrong = 0;
  const begin = performance.now();
  const client = async (): Promise<void> => {
    const connection = new Connection(program.port);
    while (sent < QUERIES) {
      const n = sent;
      sent += 1;
      const { text } = await connection.ask(requestOf(n));
      if (text !== `[{"id":${idOf(n)}}]`) wrong += 1;
      if (n % 100 === 0) most = Math.max(most, residentBytes(program));
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const seconds = Math.round((performance.now() - begin) / 1000);
  const [first, growth] = [start, most - start].map((bytes) => Math.round(bytes / MIB));
  console.log(`${QUERIES} queries in ${seconds} s: ${first} MiB, and at most ${growth} MiB more`);
  expect(await program.stop()).toBe(0);
  expect(wrong).toBe(0);
  expect(most - start).toBeLessThan(GROWTH_MAX);
}
