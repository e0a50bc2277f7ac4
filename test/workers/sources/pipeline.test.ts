/** Short reads behind each other on one connection: none has to do with what becomes of another. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCancellation } from '../../../src/workers/cancellation.js';
import type { PostgresqlSource } from '../../../src/workers/database/postgresql/source.js';
import { ReadHeldUp } from '../../../src/workers/database/source-error.js';
import { createRandom } from '../../support/random.js';
import { startTestCluster, type TestCluster, withClient } from '../../support/embedded.js';
import { type Ended, prepare, read, type Started, tryRead, withSource } from './quick-reads.js';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await sql(`CREATE TABLE locked (id int PRIMARY KEY, name text);
    INSERT INTO locked SELECT i, 'n' || i FROM generate_series(1, 50) i;
    CREATE TABLE free AS TABLE locked;`);
});
afterAll(() => cluster.stop());

const sql = (text: string): Promise<pg.QueryResult> =>
  withClient(cluster.connection, (client) => client.query(text));

const divide = 'SELECT 12 / $1::int';
const cast = 'SELECT $1::text::int';
const snooze = 'SELECT $1::text FROM pg_sleep($2::float8)';
const long = 'SELECT i, $1::text FROM generate_series(1, 500) i';
const locked = 'SELECT name FROM locked WHERE id = $1';
const free = 'SELECT name FROM free WHERE id = $1';

const prepareAll = (source: PostgresqlSource): Promise<void> =>
  prepare(
    source,
    [divide, '1'],
    [cast, '1'],
    [snooze, 'a', '0'],
    [long, 'b'],
    [locked, '1'],
    [free, '1'],
  );

/** With one connection, on which everything is prepared. */
const withOne = <Result>(
  work: (source: PostgresqlSource) => Promise<Result>,
  statementTimeoutMs = 20_000,
): Promise<Result> =>
  withSource(cluster.connection, { statementTimeoutMs }, async (source) => {
    await prepareAll(source);
    return work(source);
  });

const oneRow = (text: string): Ended => ({ rows: [[text]], error: undefined });
const failed = (code: string): unknown =>
  expect.objectContaining({ error: expect.objectContaining({ code }) });
const heldUp = expect.objectContaining({ error: expect.any(ReadHeldUp) });

/** That a session gets the connection, and the right answer on it. */
async function expectFit(source: PostgresqlSource): Promise<void> {
  await prepareAll(source);
  const [first, second] = [read(source, divide, ['3']), read(source, free, ['7'])];
  expect(await first.ended).toEqual(oneRow('4'));
  expect(await second.ended).toEqual(oneRow('n7'));
}

describe('on one connection', () => {
  test('the second read is sent before the first is answered, and no third', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '0.05']);
      const second = read(source, divide, ['4'], true);
      expect(tryRead(source, divide, ['4'])).toBeUndefined();
      const order: string[] = [];
      void first.ended.then(() => order.push('first'));
      void second.ended.then(() => order.push('second'));
      expect(await first.ended).toEqual(oneRow('x'));
      expect(await second.ended).toEqual(oneRow('3'));
      expect(order).toEqual(['first', 'second']);
      await expectFit(source);
    }));

  test('a read that is to be prepared is not sent behind another', () =>
    withOne(async (source) => {
      const first = read(source, divide, ['2']);
      expect(tryRead(source, 'SELECT $1::text AS new', ['2'])).toBeUndefined();
      expect(await first.ended).toEqual(oneRow('6'));
      expect(await read(source, 'SELECT $1::text AS new', ['2']).ended).toEqual(oneRow('2'));
    }));

  test('a read that fails is none of the matter of those before and behind it', () =>
    withOne(async (source) => {
      const random = createRandom(20261121);
      const cases = [
        [divide, '0', failed('evaluation-failed')],
        [cast, 'x', failed('evaluation-failed')],
        [divide, '5', oneRow('2')],
        [cast, '99', oneRow('99')],
        [free, '9', oneRow('n9')],
        [free, '99', { rows: [], error: undefined }],
        ['SELECT nothing', '', failed('schema-mismatch')],
      ] as const;
      const ends: Promise<void>[] = [];
      for (let round = 0; round < 400; round += 1) {
        const [text, parameter, expected] = cases[random(cases.length)] ?? cases[0];
        const parameters = parameter === '' ? [] : [parameter];
        const started = tryRead(source, text, parameters, random(2) === 1);
        if (!started) await ends.at(-1);
        else ends.push(started.ended.then((ended) => expect(ended).toEqual(expected)));
      }
      await Promise.all(ends);
      expect(ends.length).toBeGreaterThan(200);
      await expectFit(source);
    }));

  test('a table that changes under prepared reads fails both as stale, and those after them not', () =>
    withOne(async (source) => {
      await sql('CREATE TABLE changing AS SELECT 1 AS id');
      const changing = 'SELECT * FROM changing';
      await prepare(source, [changing]);
      await sql('ALTER TABLE changing ALTER id TYPE text');
      const both = [read(source, changing), read(source, changing)];
      for (const { ended } of both) expect(await ended).toEqual(failed('statement-stale'));
      expect(await read(source, changing).ended).toEqual(oneRow('1'));
      await expectFit(source);
    }));

  test('a backend that is killed fails the first; the second may be run again', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '20']);
      const second = read(source, free, ['1']);
      await untilActive();
      await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep($2%'
        AND pid <> pg_backend_pid()`);
      expect(await first.ended).toEqual(failed('source-unavailable'));
      expect(await second.ended).toEqual(heldUp);
      await expectFit(source);
    }));
});

describe('an interrupt', () => {
  test('by the time limit is that of the first', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '20']);
      const second = read(source, free, ['1']);
      expect(await first.ended).toEqual(failed('statement-timeout'));
      expect(await second.ended).toEqual(heldUp);
      await expectFit(source);
    }, 200));

  test('by a cancel is that of the first', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '20']);
      const second = read(source, free, ['1']);
      first.run.cancel();
      expect(await first.ended).toEqual(failed('cancelled'));
      expect(await second.ended).toEqual(heldUp);
      await expectFit(source);
    }));

  test('of the second leaves the first', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '0.1']);
      const second = read(source, free, ['1']);
      second.run.cancel();
      expect(await second.ended).toEqual(failed('cancelled'));
      expect(await first.ended).toEqual(oneRow('x'));
      await expectFit(source);
    }));

  test('of one that has ended does nothing', () =>
    withOne(async (source) => {
      const first = read(source, divide, ['1']);
      expect(await first.ended).toEqual(oneRow('12'));
      const later = read(source, snooze, ['y', '0.02']);
      first.run.cancel();
      first.run.overdue();
      const behind = read(source, free, ['2']);
      expect(await later.ended).toEqual(oneRow('y'));
      expect(await behind.ended).toEqual(oneRow('n2'));
    }));

  test('wherever it comes, strikes no other read', () =>
    withSource(cluster.connection, { connectionsPerSource: 2 }, async (source) => {
      const random = createRandom(7);
      let right = 0;
      for (let round = 0; round < 250; round += 1) {
        const started: { readonly each: Started; readonly at: string; isCancelled: boolean }[] = [];
        for (const text of [long, long, long, long]) {
          const at = `${round}.${started.length}`;
          const each = tryRead(source, text, [at], random(2) === 1);
          if (each) started.push({ each, at, isCancelled: false });
        }
        if (started.length === 0) await prepareAll(source);
        if (random(2) === 1) await new Promise(setImmediate);
        const struck = started[random(4)];
        if (struck) {
          struck.isCancelled = true;
          struck.each.run.cancel();
        }
        for (const { each, at, isCancelled } of started) {
          const { rows, error } = await each.ended;
          if (error === undefined) {
            right += 1;
            expect(rows.length).toBe(500);
            expect(rows.every(([, text]) => text === at)).toBe(true);
          } else {
            expect([error instanceof ReadHeldUp, error]).toEqual(
              isCancelled ? [false, failedWith('cancelled')] : [true, expect.anything()],
            );
          }
        }
      }
      expect(right).toBeGreaterThan(100);
      await expectFit(source);
    }));
});

describe('a read that waits for a lock', () => {
  test('has those behind it go elsewhere once it is overdue', () =>
    withOne(async (source) => {
      await withClient(cluster.connection, async (client) => {
        await client.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');
        const first = read(source, locked, ['1']);
        const second = read(source, free, ['2']);
        first.run.overdue();
        expect(await second.ended).toEqual(heldUp);
        expect(tryRead(source, free, ['3'])).toBeUndefined();
        await client.query('COMMIT');
        expect(await first.ended).toEqual(oneRow('n1'));
      });
      await expectFit(source);
    }));

  test('keeps its place when the one behind it is overdue', () =>
    withOne(async (source) => {
      await withClient(cluster.connection, async (client) => {
        await client.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE');
        const first = read(source, locked, ['5']);
        const second = read(source, free, ['2']);
        second.run.overdue();
        expect(await second.ended).toEqual(heldUp);
        second.run.cancel();
        await client.query('COMMIT');
        expect(await first.ended).toEqual(oneRow('n5'));
      });
      await expectFit(source);
    }));
});

describe('under constant load on one connection', () => {
  /** Keeps the pipeline full until `work` is done. */
  const underLoad = (work: (source: PostgresqlSource) => Promise<void>): Promise<void> =>
    withOne(async (source) => {
      let isOver = false;
      const keepReading = async (): Promise<void> => {
        while (!isOver) {
          const started = tryRead(source, divide, ['1']);
          // Whoever finds no connection at hand waits for one, like every other request.
          if (started) expect(await started.ended).toEqual(oneRow('12'));
          else await prepare(source, [divide, '1']);
        }
      };
      const reading = Promise.all([keepReading(), keepReading(), keepReading()]);
      try {
        await work(source);
      } finally {
        isOver = true;
        await reading;
      }
    });

  test('the source is found to answer', () =>
    underLoad(async (source) => {
      for (let round = 0; round < 20; round += 1) expect(await source.ping(1000)).toBe(true);
    }));

  test('sessions and transactions get their turn', () =>
    underLoad(async (source) => {
      for (let round = 0; round < 20; round += 1) {
        await prepare(source, [free, '1']);
        const mode = { readOnly: false };
        const session = await source.openTransaction(mode, createCancellation());
        await session.commit([
          { text: "UPDATE free SET name = 'n1' WHERE id = 1", parameters: [] },
        ]);
        session.release();
      }
    }));

  test('nothing begins while somebody waits for the connection', () =>
    withOne(async (source) => {
      const first = read(source, snooze, ['x', '0.05']);
      const waiting = source.openSession(createCancellation());
      expect(tryRead(source, free, ['1'])).toBeUndefined();
      expect(await first.ended).toEqual(oneRow('x'));
      (await waiting).release();
      expect(await read(source, free, ['1']).ended).toEqual(oneRow('n1'));
    }));
});

const failedWith = (code: string): unknown => expect.objectContaining({ code });

/** Waits until the database sleeps. */
async function untilActive(): Promise<void> {
  await expect
    .poll(async () => {
      const { rowCount } = await sql(`SELECT FROM pg_stat_activity WHERE state = 'active'
        AND wait_event = 'PgSleep'`);
      return rowCount;
    })
    .toBe(1);
}
