/** The point read on MariaDB: Rowgate, a hand-written server and sysbench, on one server in turns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mariadb from 'mariadb';
import type { BenchContext } from '../bench-context.js';
import { type BenchCase, queryRequest } from '../cases/case.js';
import { ask, checkAnswers } from '../cases/check-answers.js';
import { POINT_READ } from '../cases/queries.js';
import { type Contestant, startContestant } from '../contestants.js';
import type { DatabaseConnection } from '../database.js';
import { findProgram } from '../find-program.js';
import type { LoadResult } from '../load/load.js';
import type { Participant, Sample } from '../measure/figure.js';
import { watchParts } from '../measure/parts.js';
import { createRandom } from '../random.js';
import { PRODUCTS } from '../rows.js';
import { sampleSchema } from '../sample-schema.js';
import { warmUp } from '../warm-up.js';
import { type MariadbServer, startMariadb } from './mariadb-server.js';
import { runSysbench, SYSBENCH_THREADS } from './sysbench.js';

const REQUESTS = 20_000;
const CHECKS = 20;
const SEED = 20_261_121;

interface Turn {
  readonly participant: Participant;
  readonly connections: number;
  readonly serverPid: number | undefined;
  readonly run: (seconds: number) => Promise<LoadResult>;
}

/** Starts everything, checks the answers, and lets all take turns. */
export async function runMariadb(context: BenchContext): Promise<readonly Sample[]> {
  const server = await startMariadb();
  const contestants: Contestant[] = [];
  try {
    const { connection } = server;
    const benchCase = await pointRead(connection);
    const { options, directory } = context;
    const rowgateWords = [...options.rowgateWords, '--schema', schemaFile(connection, directory)];
    const { profileDirectory } = options;
    const settings = { connection, rowgateWords, profileDirectory, constant: '[]' };
    for (const name of ['rowgate', 'fastify-mariadb'] as const) {
      const contestant = await startContestant(name, settings);
      contestants.push(contestant);
      await checkAnswers(contestant.url, benchCase, name);
    }
    return await runRounds(context, server, await turnsOf(context, server, benchCase, contestants));
  } finally {
    await Promise.all(contestants.map(({ process }) => process.stop()));
    await server.stop();
  }
}

async function pointRead(connection: DatabaseConnection): Promise<BenchCase> {
  const random = createRandom(SEED);
  const ids = Array.from({ length: REQUESTS }, () => 1 + random(PRODUCTS));
  const read = (id: number) => queryRequest('/execute', POINT_READ, { id });
  const { host, port, user, database } = connection;
  const client = await mariadb.createConnection({ host, port, user, database });
  const sql = `SELECT JSON_ARRAY(JSON_OBJECT('id', ProductID, 'name', ProductName,
    'supplierId', SupplierID, 'categoryId', CategoryID, 'quantity', QuantityPerUnit,
    'price', UnitPrice + 0e0, 'inStock', UnitsInStock + 0e0, 'onOrder', UnitsOnOrder + 0e0,
    'reorderLevel', ReorderLevel + 0e0, 'discontinued', Discontinued = 1)) AS json
    FROM Products WHERE ProductID = ?`;
  const checks = [];
  for (const id of ids.slice(0, CHECKS)) {
    const [row] = await client.query<readonly { json: unknown }[]>(sql, [id]);
    const json = row?.json;
    const expected: unknown = typeof json === 'string' ? JSON.parse(json) : json;
    checks.push({ request: read(id), expected: withBooleans(expected), project: withBooleans });
  }
  await client.end();
  return {
    name: 'mariadb-point',
    title: `Point read on MariaDB: ${POINT_READ}`,
    contestants: ['rowgate', 'fastify-mariadb'],
    requests: ids.map(read),
    checks,
  };
}

/** MariaDB's JSON has 1 and 0 for booleans. */
function withBooleans(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === 'discontinued' ? Boolean(each) : each)),
  );
}

/** A file of the sample domain, with its source on MariaDB. */
export function schemaFile(connection: DatabaseConnection, directory: string): string {
  const file = join(directory, 'mariadb.yaml');
  writeFileSync(file, sampleSchema('MariaDB', connection));
  return file;
}

async function turnsOf(
  { options, directory, runLoad }: BenchContext,
  { connection }: MariadbServer,
  { requests }: BenchCase,
  contestants: readonly Contestant[],
): Promise<readonly Turn[]> {
  const [rowgate] = contestants;
  const turns: Turn[] = options.connections.flatMap((connections) =>
    contestants.map(({ name, url, process }) => ({
      participant: name,
      connections,
      serverPid: process.pid,
      run: (seconds: number) => runLoad({ url, requests, connections, seconds, directory }),
    })),
  );
  const program = findProgram('sysbench');
  if (program === undefined || rowgate === undefined) return turns;
  const plan: { sentence: string } = JSON.parse(
    await ask(rowgate.url, queryRequest('/plan', POINT_READ)),
  );
  const order = { program, connection, statement: plan.sentence, idMax: PRODUCTS, directory };
  const run = (seconds: number) => runSysbench({ ...order, seconds });
  const connections = SYSBENCH_THREADS;
  return [...turns, { participant: 'sysbench', connections, serverPid: undefined, run }];
}

async function runRounds(
  { options, workers, say }: BenchContext,
  { pid: postmaster }: MariadbServer,
  turns: readonly Turn[],
): Promise<readonly Sample[]> {
  await warmUp(turns, options.warmupSeconds);
  const samples: Sample[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const { participant, connections, serverPid, run } of turns) {
      const workersHere = participant === 'rowgate' ? workers : 0;
      const watched = await watchParts({ serverPid, workers: workersHere, postmaster });
      const load = await run(options.seconds);
      const parts = watched(load.requestsPerSecond * options.seconds, load.processorUs);
      samples.push({ case: 'mariadb-point', participant, connections, load, parts });
      const rate = Math.round(load.requestsPerSecond).toLocaleString('en');
      say(`mariadb-point ${round}: ${participant} × ${connections}: ${rate}/s`);
    }
  }
  return samples;
}
