/**
 * Connections whose database sends wrong lengths, parts of frames or nothing, at any moment: an attempt to
 * open one fails in time, and no run gets the answer of another.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCancellation } from '../../src/workers/cancellation.js';
import type { Connection } from '../../src/workers/database/connection.js';
import { Source } from '../../src/workers/database/source.js';
import { runOf, type Sent, sendAll, sql } from '../mariadb/mysql-source.js';
import { LOOSER } from '../support/looser.js';
import { createRandom } from '../support/random.js';
import { describeDatabases, type OwnDatabase } from './parts/database.js';
import { type FaultKind, type FaultProxy, startFaultProxy } from './parts/fault-proxy.js';
import { createTables, pointRow } from './parts/world.js';
import { driverOf } from '../support/drivers.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261125');
const CONNECT_MS = 300 * LOOSER;
/** Much longer than that: whatever takes as long hangs. */
const HUNG_MS = 5000 * LOOSER;
/** A connection that waits for more bytes than will arrive is broken off after this time. */
const ANSWER_MS = 300;
/** More than the frames of an opening connection, and than those of the answers below. */
const OPENING_FRAMES = 30;
const ANSWER_FRAMES = 24;
const OPENINGS = 400;
const AT_ONCE = 20;
const PIPELINES = 120;
const LONG_ANSWERS = 30;
const LONG_ROWS = 600;
/** What a run without its answer ends with: the third one for a row of a very wrong length, the last one only on a busy machine. */
const LOST: readonly unknown[] = [
  ...['source-unavailable', 'outcome-unknown', 'answer-too-large'],
  'statement-timeout',
];

describeDatabases('broken frames', (startDatabase) => {
  let database: OwnDatabase;
  let proxy: FaultProxy;
  const random = createRandom(SEED);

  beforeAll(async () => {
    database = await startDatabase();
    await createTables(database);
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: database.address, framing: database.framing, random });
  });
  afterEach(() => proxy.close());

  /** Opens a connection, and uses it; returns the code of an error. */
  const withConnection = async (
    work: (connection: Connection) => Promise<void>,
    connectTimeoutMs = HUNG_MS,
  ) => {
    const declared = { name: 'x', mapping: 'x', ...database.sourceThrough(proxy.port) };
    const settings = {
      connectionsPerSource: 1,
      connectTimeoutMs,
      connectionWaitMs: HUNG_MS,
      statementTimeoutMs: ANSWER_MS,
      preparedStatements: true,
    };
    const source = new Source(declared, driverOf(declared, settings), settings);
    const opening = source.pool.take(createCancellation());
    const opened = await Promise.race([opening.catch(codeOf), sleep(HUNG_MS, 'hung')]);
    if (typeof opened !== 'object') return opened;
    await work(opened).finally(() => source.pool.give(opened, false));
    await source.close();
    return 'used';
  };

  test('end an attempt to open a connection in time', async () => {
    const kinds: readonly FaultKind[] = ['corrupted', 'truncated', 'corrupted', 'half-open'];
    const results: string[] = [];
    for (let at = 0; at < OPENINGS; at += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, async (_, index) => {
        const kind = kinds[index % kinds.length] ?? 'reset';
        proxy.injectNext(kind, Math.floor(((at + index) / OPENINGS) * OPENING_FRAMES));
        return withConnection(async () => undefined, CONNECT_MS);
      });
      results.push(...(await Promise.all(some)));
    }
    expect(['source-unavailable', 'used']).toEqual(expect.arrayContaining(results));
  });

  test('give no run a wrong answer', async () => {
    let lost = 0;
    for (let at = 0; at < PIPELINES; at += 1) {
      const result = await withConnection(async (connection) => {
        const [a, b, unused] = [1 + random(900), 1 + random(900), 10_000 + at];
        const point = (id: number) => sql(`SELECT id, name FROM points WHERE id = ${id}`);
        const range = sql(
          `SELECT id, name FROM points WHERE id > ${b} AND id < ${b + 5} ORDER BY id`,
        );
        const statements = [
          ...[point(a), sql('INSERT INTO hot VALUES (1, 1)'), range],
          ...[sql(`INSERT INTO hot VALUES (${unused}, 1)`), point(b), range],
        ];
        // Some answers also contain what preparing the statements adds.
        if (random(2) === 0) await ended(sendAll(connection, statements.slice(0, 3)), connection);
        proxy.inject('corrupted', random(ANSWER_FRAMES));
        const four = rows(b + 1, 4);
        const expected = [rows(a, 1), 'unique-violation', four, [], rows(b, 1), four];
        const outcomes = await ended(sendAll(connection, statements), connection);
        for (const [index, outcome] of outcomes.entries()) {
          if (LOST.includes(outcome)) lost += 1;
          else expect([at, index, outcome]).toEqual([at, index, expected[index]]);
        }
      });
      expect(result).toBe('used');
    }
    expect(lost).toBeGreaterThan(0);
  });

  test.each([0, LONG_ROWS / 2])('leave no row out of a long answer (limit %d)', async (rowsMax) => {
    const expected = rows(1, rowsMax || LONG_ROWS);
    const statement = sql(`SELECT id, name FROM points WHERE id <= ${LONG_ROWS} ORDER BY id`);
    let lost = 0;
    for (let at = 0; at < LONG_ANSWERS; at += 1) {
      await withConnection(async (connection) => {
        const whole = runOf([statement]);
        const run = { ...whole, steps: whole.steps.map((step) => ({ ...step, rowsMax })) };
        proxy.inject('corrupted', random(rowsMax || LONG_ROWS));
        connection.send(run);
        connection.flush();
        const [outcome] = await ended([run], connection);
        if (LOST.includes(outcome)) lost += 1;
        else expect(outcome).toEqual(expected);
      });
    }
    expect(lost).toBeGreaterThan(0);
  });
});

/** The rows of some points. */
function rows(from: number, count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, index) => {
    const { id, name } = pointRow(from + index);
    return [String(id), name];
  });
}

/** The rows of the runs, or the codes of their errors. Without an answer, the connection is broken off. */
async function ended(runs: readonly Sent[], connection: Connection): Promise<unknown[]> {
  const limit = setTimeout(() => connection.destroy(), ANSWER_MS);
  const outcomes = await Promise.all(
    runs.map(({ ended: end }) => end.then(([rows]) => rows, codeOf)),
  );
  clearTimeout(limit);
  return outcomes;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
