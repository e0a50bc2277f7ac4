/** Slow readers of large answers get every byte or are refused, and do not slow other clients down. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAtSpeed } from '../support/pausing-reader.js';
import { describeServersAtOnce, type ServerName } from '../support/http-servers.js';
import { type Program, post, until } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const READERS = 20;
const SPEED = { bytesPerSecond: 10_000, forMs: 8000 };
const CONNECTIONS = 8;
/** The longest delay that other clients may notice, and the pause between their requests. */
const READ_MS = 1000;
const PAUSE_MS = 5;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

/**
 * Streamed rows, and rows with includes: an answer that fits into the memory for slow readers, and
 * larger ones.
 */
const queries = ['Many', 'Noise', 'Many.include(p=>p.noise)'];
const POINT = { query: 'Odds.filter(p=>p.id==id).map(p=>p.id)', data: { id: 1 } };

const start = (httpServer: ServerName, ...flags: string[]) =>
  fixture.start(['--http-server', httpServer, '--connections', `${CONNECTIONS}`, ...flags]);

describe.each(queries)('slow readers of %s', (query) => {
  describeServersAtOnce('on %s', (httpServer) => {
    test('get every byte or are refused, and leave connections to others', async () => {
      // A program without slow readers shows how busy the machine itself is.
      const [program, idle] = [await start(httpServer), await start(httpServer)];
      let isOver = false;
      const reading = readSlowly(program, query).finally(() => (isOver = true));
      const [times = [], idleTimes = []] = await Promise.all(
        [program, idle].map(async (each) => {
          const readers = [readRows(each, () => isOver), readRows(each, () => isOver)];
          return (await Promise.all(readers)).flat();
        }),
      );
      const { whole, refusals } = await reading;
      for (const refusal of refusals) expect(String(refusal)).toContain('refused with 503');
      expect(whole).toBeGreaterThanOrEqual(CONNECTIONS / 2);
      expect(percentile99(times)).toBeLessThan(READ_MS + percentile99(idleTimes));
      await until(
        'a reader is served',
        async () => (await post(program, '/execute', { query })).status === 200,
      );
      for (const each of [program, idle]) expect(await each.stop()).toBe(0);
    });
  });
});

describeServersAtOnce('slow readers on %s', (httpServer) => {
  test('leave a connection to queries that have never run, even if their own had not', async () => {
    const query = 'Many.include(p=>p.noise)';
    const other = await start(httpServer);
    const expected = Buffer.from((await post(other, '/execute', { query })).text);
    expect(await other.stop()).toBe(0);
    const program = await start(httpServer, '--workers', '1', '--connections', '4');
    let isOver = false;
    const reading = readSlowly(program, query, expected).finally(() => (isOver = true));
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
    expect(await readSlowly(program, 'Many')).toEqual({ whole: READERS, refusals: [] });
    expect(await program.stop()).toBe(0);
  });
});

/** Reads the answer slowly, and then the rest. Returns which readers got it, and which were refused. */
async function readSlowly(program: Program, query: string, known?: Buffer) {
  const expected = known ?? Buffer.from((await post(program, '/execute', { query })).text);
  const { port } = program;
  const body = JSON.stringify({ query });
  const read = { port, method: 'POST', path: '/execute', body, expected };
  const reads = Array.from({ length: READERS }, () => readAtSpeed(read, SPEED));
  const results = await Promise.allSettled(reads);
  const refusals = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  return { whole: READERS - refusals.length, refusals };
}

/**
 * Reads one row repeatedly until `isOver`, and returns the time of each read, including refused ones.
 */
async function readRows(program: Program, isOver: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const begin = performance.now();
    const { status, text } = await post(program, '/execute', POINT);
    times.push(performance.now() - begin);
    if (status !== 503) expect([status, text]).toEqual([200, '[{"id":1}]']);
    await sleep(PAUSE_MS);
  }
  return times;
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN;
}
