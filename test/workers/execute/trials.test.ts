/**
 * The first read of a plan while other requests are answered: if it is long, it is stopped and runs again, so that
 * clients that send a different expensive query each time delay only each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerContext } from '../../../src/workers/protocol.js';
import { createThrowawayDatabase, withClient } from '../../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../../support/mariadb.js';
import { type BatchWorker, startBatchWorker } from './batch-worker.js';

/** The part of a second that `Sleepy` sleeps for each of its rows with this id. */
const TENTHS = 6;
/** The rows of `Heavy`; the database sleeps before the first one. */
const BODIES = 20;
const BODY_LENGTH = 200_000;
const point = 'Parts.filter(p=>p.id==id).map(p=>p.id)';
const changes = { batching: 'measured', connectionsPerSource: 8, longReadsMax: 1 } as const;

/** Different plans, each with one row. */
const sleepy = (n: number) => `Sleepy.filter(p=>p.id==id).map(p=>({n${n}:p.id}))`;
const short = (n: number) => `Parts.filter(p=>p.id==id).map(p=>({n${n}:p.id}))`;

interface Database {
  start(changes: Partial<WorkerContext>): BatchWorker;
  /** How many statements sleep. */
  countSleeping(): Promise<number>;
  stop(): Promise<void>;
}

async function startPostgresql(): Promise<Database> {
  const { connection, drop } = await createThrowawayDatabase();
  const sql = (text: string) =>
    withClient(connection, async (client) => (await client.query<{ n: number }>(text)).rows);
  await sql(`
    CREATE FUNCTION snooze(seconds float8) RETURNS bool LANGUAGE sql VOLATILE COST 100000
      AS 'SELECT pg_sleep(seconds) IS NOT NULL';
    CREATE VIEW sleepy AS SELECT id, seconds FROM (SELECT i AS id, i / 10.0 AS seconds
      FROM generate_series(0, 100) i) s WHERE snooze(seconds);
    CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
    INSERT INTO parts SELECT i, i, 'part', i FROM generate_series(1, 1000) i;
    CREATE TABLE bodies (id int PRIMARY KEY, body text);
    INSERT INTO bodies SELECT i, repeat('x', ${BODY_LENGTH}) FROM generate_series(1, ${BODIES}) i;
    CREATE VIEW heavy AS SELECT id, body FROM bodies WHERE id > 1 OR snooze(0.4);`);
  const sleeping = `SELECT count(*)::int n FROM pg_stat_activity WHERE wait_event = 'PgSleep'
    AND datname = current_database()`;
  return {
    start: (own) => startBatchWorker(connection, own),
    countSleeping: async () => (await sql(sleeping))[0]?.n ?? Number.NaN,
    stop: drop,
  };
}

async function startMariadb(): Promise<Database> {
  const { connection, drop, withClient: use } = await createMariadbDatabase();
  await use((client) =>
    client.query(`
      CREATE TABLE naps (id int PRIMARY KEY, seconds decimal(6, 2));
      INSERT INTO naps SELECT seq, seq / 10 FROM seq_0_to_100;
      CREATE VIEW sleepy AS SELECT id, seconds FROM naps WHERE sleep(seconds) = 0;
      CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
      INSERT INTO parts SELECT seq, seq, 'part', seq FROM seq_1_to_1000;
      CREATE TABLE bodies (id int PRIMARY KEY, body mediumtext);
      INSERT INTO bodies SELECT seq, repeat('x', ${BODY_LENGTH}) FROM seq_1_to_${BODIES};
      CREATE VIEW heavy AS SELECT id, body FROM bodies WHERE id > 1 OR sleep(0.4) = 0;`),
  );
  const sleeping = `SELECT count(*) n FROM information_schema.processlist
    WHERE state = 'User sleep' AND db = database()`;
  return {
    start: (own) => startBatchWorker(connection, own, 'MariaDB'),
    countSleeping: async () => {
      const rows: unknown = await use((client) => client.query(sleeping));
      const [row] = Array.isArray(rows) ? rows : [];
      return Number(row?.n);
    },
    stop: drop,
  };
}

function trialTests(startDatabase: () => Promise<Database>): void {
  let database: Database;
  beforeAll(async () => {
    database = await startDatabase();
  });
  afterAll(() => database.stop());

  /** Runs `work` while short reads are answered all the time. */
  async function besideShort(
    own: Partial<WorkerContext>,
    work: (worker: BatchWorker) => Promise<void>,
  ): Promise<void> {
    const worker = database.start({ ...changes, ...own });
    let isOver = false;
    const plan = await worker.prepare(point);
    const answerShort = async (): Promise<void> => {
      while (!isOver) {
        const ids = [1, 2];
        const outcomes = await worker.outcomes(ids.map((id) => ({ plan, data: { id } })));
        expect(outcomes).toEqual(ids.map((id) => `[{"id":${id}}]`));
        await sleep(5);
      }
    };
    const shorts = answerShort();
    try {
      await sleep(300);
      await work(worker);
    } finally {
      isOver = true;
      await shorts;
      await worker.close();
    }
  }

  /** Asks a plan of its own for each of these numbers, in this order. */
  async function ask(
    worker: BatchWorker,
    query: (n: number) => string,
    numbers: readonly number[],
    id: number,
  ) {
    const plans: number[] = [];
    for (const n of numbers) plans.push(await worker.prepare(query(n)));
    return worker.ask(plans.map((plan) => ({ plan, data: { id } })));
  }

  const rows = (numbers: readonly number[], id: number) => numbers.map((n) => `[{"n${n}":${id}}]`);

  test('short queries are answered while different long ones wait, and these are, too', () =>
    besideShort({}, async (worker) => {
      const [longs, shorts] = [
        [1, 2, 3, 4, 5],
        [1, 2, 3, 4, 5, 6, 7, 8],
      ];
      const asked = await ask(worker, sleepy, longs, TENTHS);
      const startedAt = performance.now();
      const others = await ask(worker, short, shorts, 7);
      expect(await Promise.all(others.map(({ outcome }) => outcome))).toEqual(rows(shorts, 7));
      // The long ones take three seconds.
      expect(performance.now() - startedAt).toBeLessThan(1500);
      expect(await database.countSleeping()).toBeLessThan(4);
      expect(await Promise.all(asked.map(({ outcome }) => outcome))).toEqual(rows(longs, TENTHS));
      expect(worker.surplus).toBe(0);
    }));

  test('large answers are whole, whether or not their requests were stopped', () =>
    besideShort({}, async (worker) => {
      const heavy = (n: number) => `Heavy.filter(p=>p.id>id).map(p=>({n${n}:p.body}))`;
      const numbers = [31, 32, 33, 34];
      const asked = await ask(worker, heavy, numbers, 0);
      const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
      const body = 'x'.repeat(BODY_LENGTH);
      const expected = numbers.map((n) =>
        JSON.stringify(Array.from({ length: BODIES }, () => ({ [`n${n}`]: body }))),
      );
      expect(outcomes.map((outcome, index) => outcome === expected[index])).toEqual(
        numbers.map(() => true),
      );
      expect(worker.surplus).toBe(0);
    }));

  test('long queries run at the same time while no short one is answered', async () => {
    const worker = database.start(changes);
    const numbers = [41, 42, 43];
    const asked = await ask(worker, sleepy, numbers, 30);
    await expect.poll(() => database.countSleeping(), { timeout: 2500 }).toBe(3);
    expect(await Promise.all(asked.map(({ outcome }) => outcome))).toEqual(rows(numbers, 30));
    await worker.close();
  });

  test('a stopped request can be cancelled', () =>
    besideShort({}, async (worker) => {
      const longs = [11, 12, 13, 14, 15, 16];
      const asked = await ask(worker, sleepy, longs, 20);
      await sleep(1000);
      worker.cancel(...asked.map(({ id }) => id));
      for (const { outcome } of asked) expect(await outcome).toMatch(/^! cancelled/);
      await expect.poll(() => database.countSleeping(), { timeout: 5000 }).toBe(0);
      const [again] = await ask(worker, sleepy, [11], 1);
      expect(await again?.outcome).toBe('[{"n11":1}]');
      expect(worker.surplus).toBe(0);
    }));

  test('a stopped request that waits for too long is refused', () =>
    besideShort({ connectionWaitMs: 1500 }, async (worker) => {
      const longs = [21, 22, 23, 24, 25, 26];
      const asked = await ask(worker, sleepy, longs, 20);
      const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
      const refused = outcomes.filter((outcome) => outcome.startsWith('! queue-timeout'));
      expect(refused.length).toBeGreaterThan(1);
      const answered = outcomes.filter((outcome) => !outcome.startsWith('!'));
      expect(answered.length).toBe(longs.length - refused.length);
      for (const outcome of answered) expect(outcome).toMatch(/^\[\{"n\d+":20\}\]$/);
      expect(worker.surplus).toBe(0);
    }));
}

describe('on PostgreSQL', () => {
  trialTests(startPostgresql);
});
describeMariadb('', () => {
  trialTests(startMariadb);
});
