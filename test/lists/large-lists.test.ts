/** Lists whose answers are large: slow readers, disconnects, errors in the middle of rows, and compression. */
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIB, residentBytes } from '../program/large-fixture.js';
import {
  OVERFLOWING,
  type StreamsFixture,
  startStreamsFixture,
} from '../program/streams-fixture.js';
import { askWire, openRequest } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { readAtSpeed } from '../support/pausing-reader.js';
import { post, type Program, rowsOf, until } from '../support/program.js';

const POINT = { query: 'Odds.filter(p=>p.id==id)', data: { id: 1 } };
/** About 10 MB, and 40 MB. */
const [MANY, NOISE] = [{ query: 'Many.sort(p=>p.id)' }, { query: 'Noise.sort(p=>p.id)' }];
/** About 10 MB: more than the memory of all streams. */
const LOUD = { query: 'Noise.filter(p=>p.id<=5000).sort(p=>p.id)' };
/** About 20 MB, of more parents than two windows have. */
const PARENTS = { query: 'Many.filter(p=>p.id<=9000).sort(p=>p.id).include(p=>p.noise)' };
const FEW = { query: 'Many.filter(p=>p.id<=100).sort(p=>p.id)' };
const MIXED = [POINT, MANY, POINT, LOUD, PARENTS, POINT, MANY, LOUD, FEW, PARENTS, POINT];
const NDJSON = { accept: 'application/x-ndjson' };

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

/** The number of statements that run for the program. */
function busy(): Promise<number> {
  return fixture.connections("state <> 'idle'");
}

describeServers('a list with large answers, on %s,', (http) => {
  let program: Program;
  const singles = new Map<object, Buffer>();
  beforeAll(async () => {
    // Few connections, and little memory: most answers cannot wait for their turns.
    const narrow = ['--workers', '1', '--connections', '3', '--streams-max', '2MiB'];
    program = await fixture.start(['--http-server', http, ...narrow]);
    for (const body of new Set([...MIXED, NOISE])) {
      singles.set(body, (await askWire(program.base, '/execute', { body })).body);
    }
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });
  const single = (body: object) => singles.get(body) ?? Buffer.alloc(0);
  const joined = (list: readonly object[]) => {
    const pieces = list.flatMap((body, index) => [
      Buffer.from(index === 0 ? '[' : ','),
      single(body),
    ]);
    return Buffer.concat([...pieces, Buffer.from(']')]);
  };

  test('has the bytes of the single answers, and no answer waits for a connection that another one holds', async () => {
    const { status, body } = await askWire(program.base, '/execute', { body: MIXED });
    expect(status).toBe(200);
    expect(body.equals(joined(MIXED))).toBe(true);
    await until('all is at rest', async () => (await busy()) === 0);
  });

  test('has the bytes of the single answers if a query has large data, which is sent only once', async () => {
    const data = { n: 0, more: 'x'.repeat(100_000) };
    const list = [MANY, { query: 'Many.filter(p=>p.id>n).sort(p=>p.id)', data }, POINT];
    const { status, body } = await askWire(program.base, '/execute', { body: list });
    expect(status).toBe(200);
    expect(body.equals(joined([MANY, MANY, POINT]))).toBe(true);
    expect(await rowsOf(program, POINT.query, POINT.data)).toHaveLength(1);
  });

  test('has the bytes of the single answers if several queries have large data', async () => {
    const filtered = (more: string) => {
      const query = 'Many.filter(p=>p.id>n).sort(p=>p.id)';
      return { query, data: { n: 0, more: 'x'.repeat(100_000) + more } };
    };
    const list = [filtered('a'), filtered('b'), POINT, filtered('c')];
    const { status, body } = await askWire(program.base, '/execute', { body: list });
    expect(status).toBe(200);
    expect(body.equals(joined([MANY, MANY, POINT, MANY]))).toBe(true);
  });

  test('has a line for each query, each of them whole', async () => {
    const { body } = await askWire(program.base, '/execute', { body: MIXED, headers: NDJSON });
    const found = new Map<number, Buffer>();
    for (let start = 0; start < body.length; ) {
      const end = body.indexOf('\n', start);
      const head = /^\{"index":(\d+),"status":200,"result":/.exec(
        body.toString('latin1', start, start + 100),
      );
      found.set(Number(head?.[1]), body.subarray(start + (head?.[0].length ?? 0), end - 1));
      start = end + 1;
    }
    expect(found.size).toBe(MIXED.length);
    for (const [index, each] of MIXED.entries()) {
      expect(found.get(index)?.equals(single(each))).toBe(true);
    }
  });

  test('is compressed like a single answer', async () => {
    const flags = ['--http-server', http, '--workers', '1', '--compression', 'on'];
    const compressing = await fixture.start(flags);
    for (const list of [
      [FEW, FEW],
      [MANY, FEW, MANY],
    ]) {
      const headers = { 'accept-encoding': 'gzip' };
      const coded = await askWire(compressing.base, '/execute', { body: list, headers });
      expect(coded.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(coded.body).equals(joined(list))).toBe(true);
    }
    expect(await compressing.stop()).toBe(0);
  });

  test('keeps the memory of the program small while its reader is slow', async () => {
    const list = Array.from({ length: 8 }, (_, index) => (index % 2 ? NOISE : MANY));
    const expected = joined(list);
    const before = residentBytes(program);
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, residentBytes(program))), 20);
    const { port } = program;
    const body = JSON.stringify(list);
    const speed = { bytesPerSecond: 2_000_000, forMs: 4000 };
    await readAtSpeed({ port, method: 'POST', path: '/execute', body, expected }, speed);
    clearInterval(timer);
    expect(expected.length).toBeGreaterThan(150 * MIB);
    expect(most - before).toBeLessThan(100 * MIB);
  });

  test('serves point reads of others while its reader reads nothing', async () => {
    const slow = await openRequest(program.base, '/execute', { body: [NOISE, MANY, NOISE] });
    slow.message.pause();
    for (let times = 0; times < 20; times += 1) {
      expect(await rowsOf(program, 'Odds.filter(p=>p.id==1).map(p=>p.id)')).toEqual([{ id: 1 }]);
    }
    slow.abort();
    await until('its statements have ended', async () => (await busy()) === 0);
  });

  test('stops all its statements when its client disconnects, and starts no others', async () => {
    const nap = { query: 'Naps' };
    const write = { query: 'Notes.insert()', data: { name: 'late' } };
    const list = [...Array.from({ length: 900 }, () => nap), write];
    const client = await openRequest(program.base, '/execute', { body: list });
    await until('statements run', async () => (await busy()) > 0);
    client.abort();
    await until('they have ended', async () => (await busy()) === 0);
    expect(await rowsOf(program, 'Notes.count()')).toEqual([{ count: 0 }]);
    expect((await post(program, '/execute', [POINT])).status).toBe(200);
  });

  test.each([{}, NDJSON])('is cut if rows fail after the first byte, with %j', async (headers) => {
    const broken = { query: `Many.map(p=>({id:p.id,r:p.id+${OVERFLOWING}}))` };
    const answer = await openRequest(program.base, '/execute', { body: [broken, POINT], headers });
    expect(answer.status).toBe(200);
    await expect(buffer(answer.message)).rejects.toThrow();
    await until('the fault is in the log', () =>
      program.log.some((line) => line['isCut'] === true),
    );
    await until('all is at rest', async () => (await busy()) === 0);
  });
});
