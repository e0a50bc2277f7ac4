/**
 * Kills the gateway, its threads and the database's processes while clients write. Afterwards, every
 * acknowledged write must be stored, and every stored write must be complete and stored once.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/start-embedded.js';
import { serverPid } from '../embedded/processes.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { type Program, startProgram, until } from '../support/program.js';
import { connectionUrl, fillWithSample } from '../support/sample.js';
import { startWriters, UPDATED, type WrittenOrder, type Writers } from './writers.js';

const HOOK = fileURLToPath(new URL('./end-worker.cjs', import.meta.url));
const CLIENTS = 8;
/**
 * With `ROWGATE_TEST_WRITES=20000`, the test runs until that many writes are acknowledged, with
 * proportionally more crashes.
 */
const ACKNOWLEDGED = Number(process.env['ROWGATE_TEST_WRITES'] ?? '1000');
const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261121');
const STEP_MS = 60_000;

type Crash = 'gateway' | 'worker' | 'sessions' | 'backend' | 'postmaster';

/** The order of the crashes. The clients write between them. */
const ROUND: readonly Crash[] = [
  ...(['worker', 'sessions', 'gateway', 'backend', 'worker', 'sessions'] as const),
  ...(['postmaster', 'gateway', 'worker', 'sessions', 'backend', 'gateway'] as const),
];
const ROUNDS = Math.ceil(ACKNOWLEDGED / 1000);
const CRASHES: readonly Crash[] = Array.from({ length: ROUNDS }, () => ROUND).flat();

let directory: string;
let dataDirectory: string;
let database: EmbeddedDatabase;
let program: Program;

beforeEach(async () => {
  directory = makeTemporaryDirectory();
  dataDirectory = join(directory, 'data');
  // Committed data must survive a crash of the server.
  database = await startEmbedded({ dataDirectory, durability: 'durable' });
  await fillWithSample(database.connection);
  await sql(`INSERT INTO Customers (CustomerID, CompanyName) VALUES ('CRASH', 'Crash')`);
  program = await start();
}, STEP_MS);

afterEach(async () => {
  await program.stop();
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}, STEP_MS);

test(
  'every acknowledged write is stored, and every stored write is complete and stored once',
  async () => {
    const random = seeded(SEED);
    const writers = startWriters(CLIENTS, () => program, random);
    const between = Math.ceil(ACKNOWLEDGED / (CRASHES.length + 1));
    for (const crash of CRASHES) {
      await untilWritten(writers, between);
      await crashes[crash]();
    }
    await untilWritten(writers, ACKNOWLEDGED - writers.acknowledged);
    await untilWritten(writers, between);
    await writers.stop();
    expect(writers.refusals).toEqual([]);
    expect(writers.acknowledged).toBeGreaterThanOrEqual(ACKNOWLEDGED);
    await untilSessionsEnd();
    const stored = await storedOrders();
    const faults = writers.orders.flatMap((order) => faultsOf(order, stored));
    expect(faults).toEqual([]);
    const marks = new Set(writers.orders.map(({ mark }) => mark));
    expect([...stored.keys()].filter((mark) => !marks.has(mark))).toEqual([]);
  },
  ROUNDS * 240_000,
);

/** Each crash imitates a different failure. */
const crashes: Readonly<Record<Crash, () => Promise<void>>> = {
  gateway: async () => {
    program.signal('SIGKILL');
    await program.ended;
    program = await start();
  },
  worker: async () => {
    const lost = () => program.log.filter(({ event }) => event === 'worker-lost').length;
    const before = lost();
    program.signal('SIGUSR2');
    await until('the worker is lost', () => lost() > before);
  },
  sessions: async () => {
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE ${OTHERS} AND random() < 0.5`);
  },
  backend: async () => {
    const [row] = await sql(`SELECT pid FROM pg_stat_activity WHERE ${OTHERS} ORDER BY random()`);
    const pid = Number(row?.['pid']);
    if (!Number.isInteger(pid)) throw new Error('The program has no session.');
    process.kill(pid, 'SIGKILL');
  },
  postmaster: async () => {
    const pid = serverPid(dataDirectory);
    process.kill(pid, 'SIGKILL');
    await until('the server runs again', () => isReplaced(pid), STEP_MS);
  },
};

const OTHERS = `datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend'`;

function start(): Promise<Program> {
  const environment = {
    DATABASE_URL: connectionUrl(database.connection),
    NODE_OPTIONS: `--require=${HOOK}`,
  };
  return startProgram(['--workers', '2', '--connections', '4'], environment);
}

async function untilWritten(writers: Writers, more: number): Promise<void> {
  const goal = writers.acknowledged + more;
  await until(`${goal} writes are acknowledged`, () => writers.acknowledged >= goal, STEP_MS);
}

/** Stops the program, and waits for the sessions of killed ones, which may still commit. */
async function untilSessionsEnd(): Promise<void> {
  await program.stop();
  const others = `SELECT pid FROM pg_stat_activity WHERE ${OTHERS}`;
  await until('all sessions have ended', async () => (await sql(others)).length === 0, STEP_MS);
}

function isReplaced(pid: number): boolean {
  try {
    return serverPid(dataDirectory) !== pid;
  } catch {
    return false;
  }
}

/** Retries until the database answers, because it may be starting or recovering. */
async function sql(text: string): Promise<pg.QueryResultRow[]> {
  const answer = await until(
    'the database answers',
    () =>
      withClient(database.connection, async (client) => (await client.query(text)).rows).catch(
        () => undefined,
      ),
    STEP_MS,
  );
  return answer ?? [];
}

interface StoredOrder {
  readonly times: number;
  readonly details: number;
  readonly updatedDetails: number;
  readonly isUpdated: boolean;
}

async function storedOrders(): Promise<ReadonlyMap<string, StoredOrder>> {
  const rows = await sql(`SELECT ShipName AS mark, count(DISTINCT o.OrderID)::int AS times,
      count(d.ProductID)::int AS details, bool_or(ShipCity = 'updated') AS updated,
      count(*) FILTER (WHERE d.Quantity = ${UPDATED})::int AS "updatedDetails"
    FROM Orders o LEFT JOIN "Order Details" d USING (OrderID)
    WHERE CustomerID = 'CRASH' GROUP BY ShipName`);
  return new Map(
    rows.map((row) => [
      String(row['mark']),
      {
        times: Number(row['times']),
        details: Number(row['details']),
        updatedDetails: Number(row['updatedDetails']),
        isUpdated: row['updated'] === true,
      },
    ]),
  );
}

/** What is wrong with a stored order: lost, stored twice, or stored in part. */
function faultsOf(order: WrittenOrder, all: ReadonlyMap<string, StoredOrder>): string[] {
  const { mark, id, details, update } = order;
  const stored = all.get(mark);
  if (!stored) return id === undefined ? [] : [`${mark} was acknowledged and is lost`];
  const faults: string[] = [];
  if (stored.times !== 1) faults.push(`${mark} is stored ${stored.times} times`);
  if (stored.details !== details)
    faults.push(`${mark} has ${stored.details} of ${details} details`);
  if (update === 'none' && stored.isUpdated) faults.push(`${mark} is updated, but should not be`);
  if (update === 'acknowledged' && !stored.isUpdated) faults.push(`${mark} lost its update`);
  if (stored.updatedDetails !== (stored.isUpdated ? details : 0)) {
    faults.push(`${mark} is updated with ${stored.updatedDetails} of ${details} details`);
  }
  return faults;
}

/** A linear congruential generator (Numerical Recipes): the same choices in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
