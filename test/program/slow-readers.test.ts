/** Slow readers of large answers get every byte or are refused, and do not slow other clients down. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDatabases, type OwnDatabase } from '../reliability/parts/database.js';
import { createTables, schemaFile } from '../reliability/parts/world.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { readAtSpeed } from '../support/pausing-reader.js';
import { describeServersAtOnce, type ServerName } from '../support/http-servers.js';
import { LOOSER } from '../support/looser.js';
import { type Program, post, startProgram, until } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const READERS = 200;
/** So few readers that all their answers fit into memory together. */
const FEW_READERS = 20;
const SPEED = { bytesPerSecond: 10_000, forMs: 6000 };
const CONNECTIONS = 8;
/** The longest delay that other clients may notice, and the pause between their requests. */
const READ_MS = 1000 * LOOSER;
const PAUSE_MS = 5;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

/** The share of their rate that other clients must keep. */
const RATE = 0.9 / LOOSER;

/** A query whose answer is larger than the memory for slow readers, like that of `noise`. */
const INCLUDED = 'Many.include(p=>p.noise)';

const start = (httpServer: ServerName, ...flags: string[]) =>
  fixture.start(['--http-server', httpServer, '--connections', `${CONNECTIONS}`, ...flags]);

type Start = (httpServer: ServerName) => Promise<Program>;

/** Tests slow readers of a query while two clients read a known row of `entity` by its key. */
function testSlowReaders(startOne: Start, query: string, entity: string): void {
  describeServersAtOnce(`slow readers of ${query} on %s`, (httpServer) => {
    test('get every byte or are refused, and leave connections to others', {
      retry: 2,
    }, async () => {
      // A program without slow readers shows how busy the machine itself is.
      const [program, idle] = [await startOne(httpServer), await startOne(httpServer)];
      try {
        let isOver = false;
        const reading = readSlowly(program, query, READERS).finally(() => (isOver = true));
        const [times = [], idleTimes = []] = await Promise.all(
          [program, idle].map(async (each) => {
            const readers = [1, 2].map(() => readRow(each, entity, () => isOver));
            return (await Promise.all(readers)).flat();
          }),
        );
        const { whole, refusals } = await reading;
        for (const refusal of refusals) expect(String(refusal)).toContain('refused with 503');
        expect(whole).toBeGreaterThanOrEqual(CONNECTIONS / 2);
        expect(percentile99(times)).toBeLessThan(READ_MS + percentile99(idleTimes));
        expect(times.length / idleTimes.length).toBeGreaterThan(RATE);
        await until(
          'a reader is served',
          async () => (await post(program, '/execute', { query })).status === 200,
        );
      } finally {
        for (const each of [program, idle]) expect(await each.stop()).toBe(0);
      }
    });
  });
}

testSlowReaders(start, INCLUDED, 'Odds');

describeDatabases('a large table', (startDatabase) => {
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'schema.json');
  let database: OwnDatabase | undefined;
  beforeAll(async () => {
    database = await startDatabase();
    await createTables(database);
    writeFileSync(schema, schemaFile(database));
  });
  afterAll(async () => {
    await database?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const startOn: Start = (httpServer) =>
    startProgram([
      '--schema',
      schema,
      '--http-server',
      httpServer,
      '--connections',
      `${CONNECTIONS}`,
    ]);
  testSlowReaders(startOn, 'noise', 'points');
});

describeServersAtOnce('slow readers on %s', (httpServer) => {
  test('leave a connection to queries that have never run, even if theirs is new, too', async () => {
    const query = INCLUDED;
    const other = await start(httpServer);
    const expected = Buffer.from((await post(other, '/execute', { query })).text);
    expect(await other.stop()).toBe(0);
    const program = await start(httpServer, '--workers', '1', '--connections', '4');
    let isOver = false;
    const reading = readSlowly(program, query, FEW_READERS, expected).finally(
      () => (isOver = true),
    );
    let asked = 0;
    while (!isOver && asked < 20) {
      asked += 1;
      const unknown = { query: `Odds.filter(p=>p.id==1).map(p=>({x${asked}: p.id}))` };
      const { status, text } = await post(program, '/execute', unknown);
      expect([status, text]).toEqual([200, `[{"x${asked}":1}]`]);
      await sleep(100);
    }
    await reading;
    expect(await program.stop()).toBe(0);
  });

  test('are all served if their answers fit into memory', async () => {
    const program = await start(httpServer, '--streams-max', '1GiB', '--queue-wait-ms', '60000');
    expect(await readSlowly(program, 'Many', FEW_READERS)).toEqual({
      whole: FEW_READERS,
      refusals: [],
    });
    expect(await program.stop()).toBe(0);
  });
});

/**
 * Reads answers slowly for a while, and then the rest at full speed. Returns how many readers got every
 * byte, and why the others were refused.
 */
async function readSlowly(program: Program, query: string, readers: number, known?: Buffer) {
  const expected = known ?? Buffer.from((await post(program, '/execute', { query })).text);
  const { port } = program;
  const body = JSON.stringify({ query });
  const read = { port, method: 'POST', path: '/execute', body, expected };
  const reads = Array.from({ length: readers }, () => readAtSpeed(read, SPEED));
  const results = await Promise.allSettled(reads);
  const refusals = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  return { whole: readers - refusals.length, refusals };
}

/** Reads one row repeatedly until `isOver`, and returns the time of each read. */
async function readRow(
  program: Program,
  entity: string,
  isOver: () => boolean,
): Promise<readonly number[]> {
  const point = { query: `${entity}.filter(p=>p.id==id).map(p=>p.id)`, data: { id: 1 } };
  const times: number[] = [];
  while (!isOver()) {
    const begin = performance.now();
    const { status, text } = await post(program, '/execute', point);
    times.push(performance.now() - begin);
    expect([status, text]).toEqual([200, '[{"id":1}]']);
    await sleep(PAUSE_MS);
  }
  return times;
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN;
}
