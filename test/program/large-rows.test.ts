import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, post, rowsOf } from '../support/program.js';
import {
  type LargeFixture,
  MIB,
  residentBytes,
  startLargeFixture,
  WIDE_COLUMNS,
} from './large-fixture.js';

const HUGE_BYTES = 100 * MIB;

let fixture: LargeFixture;
let program: Program;
beforeAll(async () => {
  fixture = await startLargeFixture();
  program = await fixture.start();
});
afterAll(async () => {
  await program.stop();
  await fixture.stop();
});

/** Reads an answer to its end. `growth` is the largest growth of the program's memory. */
async function readHashed(query: string) {
  const before = residentBytes(program);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(program))), 5);
  const response = await fetch(`${program.base}/execute`, {
    method: 'POST',
    // The server may close a kept connection while this process computes the expected answer.
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query }),
  });
  const hash = createHash('sha256');
  for await (const bytes of response.body ?? []) hash.update(bytes);
  clearInterval(timer);
  return { status: response.status, hash: hash.digest('hex'), growth: most - before };
}

function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

test('a string of 100 MiB is answered with memory of a few times its size', async () => {
  await rowsOf(program, 'Nothing');
  const { status, hash, growth } = await readHashed('Huge');
  const text = '0123456789abcdef'.repeat(65536 * 100);
  expect(text).toHaveLength(HUGE_BYTES);
  expect({ status, hash }).toEqual({ status: 200, hash: hashOf('[{"id":1,"name":"', text, '"}]') });
  // The row as it is read, as it is written, and as a batch tried to read it, with what is not freed yet.
  expect(growth).toBeLessThan(4 * HUGE_BYTES);
});

/** A text of 196 MB. */
const gigantic = 'replace(lpad("x",14000,"x"),"x",lpad("y",14000,"y"))';

test.each([`Raw.map(p=>({id:p.id, x:${gigantic}}))`, `Quoted.map(p=>({x:${gigantic}}))`])(
  'a row of more than 128 MiB is refused, and not read into memory: %s',
  async (query) => {
    await rowsOf(program, 'Nothing');
    const before = residentBytes(program);
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, residentBytes(program))), 5);
    const others = Array.from({ length: 8 }, async () => rowsOf(program, 'Parents.first(p=>p.id)'));
    const answer = await post(program, '/execute', { query });
    clearInterval(timer);
    expect(answer.json()).toMatchObject({
      code: 'answer-too-large',
      status: 422,
      detail: 'A row has more than 134217728 bytes.',
    });
    expect(most - before).toBeLessThan(HUGE_BYTES);
    for (const rows of await Promise.all(others)) expect(rows).toEqual([{ id: 0 }]);
  },
);

test('strings of megabytes with many escapes are answered', async () => {
  const text = '"\\\n\u0001é'.repeat(1 << 20);
  const rows = [1, 2].map((id) => ({ id, name: text }));
  const { status, hash } = await readHashed('Quoted');
  expect({ status, hash }).toEqual({ status: 200, hash: hashOf(JSON.stringify(rows)) });
});

test('rows of megabytes are included in their parents, in order', async () => {
  const query = 'Parents.filter(p=>p.id<10).include(p=>p.megabytes.sort(p=>p.id).map(p=>p.id))';
  const parents = await rowsOf(program, query);
  expect(parents).toEqual(
    Array.from({ length: 10 }, (_, id) => ({
      id,
      name: `p${id}`,
      megabytes: Array.from({ length: 4 }, (_, n) => (id === 0 ? 10 : id) + 10 * n).map((each) => ({
        id: each,
      })),
    })),
  );
  const whole = await readHashed(
    'Parents.filter(p=>p.id<10).include(p=>p.megabytes.sort(p=>p.id))',
  );
  expect(whole.status).toBe(200);
  expect(whole.hash).toBe(
    hashOf(
      JSON.stringify(
        Array.from({ length: 10 }, (_, id) => ({
          id,
          name: `p${id}`,
          megabytes: Array.from({ length: 4 }, (_, n) => (id === 0 ? 10 : id) + 10 * n).map(
            (each) => ({ id: each, parent: id, name: `${each} `.repeat(1 << 20) }),
          ),
        })),
      ),
    ),
  );
});

test('many windows of parents arrive in order, each with its children', async () => {
  const parents = Array.from({ length: 20_001 }, (_, id) => ({
    id,
    name: `p${id}`,
    children: [0, 1, 2, 3].map((c) => ({ id: id * 4 + c, parent: id, name: `c${c}` })),
  }));
  const { hash } = await readHashed('Parents.include(p=>p.children.sort(p=>p.id))');
  expect(hash).toBe(hashOf(JSON.stringify(parents)));
});

test('rows of 1,600 columns are answered', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => {
    const values = new Map([
      [0, n + 1],
      [7, 7 * (n + 1)],
      [1599, -(n + 1)],
    ]);
    const names = Array.from({ length: WIDE_COLUMNS }, (__, column) => column);
    return Object.fromEntries(names.map((column) => [`c${column}`, values.get(column) ?? null]));
  });
  const { status, hash } = await readHashed('Wide.sort(p=>p.c0)');
  expect({ status, hash }).toEqual({ status: 200, hash: hashOf(JSON.stringify(rows)) });
});

test('without rows the answer is an empty list', async () => {
  expect(await rowsOf(program, 'Nothing')).toEqual([]);
  expect(await rowsOf(program, 'Nothing.filter(p=>p.id==id)', { id: 7 })).toEqual([]);
  expect(await rowsOf(program, 'Parents.filter(p=>p.id<0).include(p=>p.children)')).toEqual([]);
});

test('a map without columns is refused', async () => {
  const answer = await post(program, '/execute', { query: 'Parents.map(p=>{})' });
  expect(answer.status).toBe(400);
});

test('the bytes of a bytea are returned as the database writes them', async () => {
  expect(await rowsOf(program, 'Raw')).toEqual([{ id: 1, name: '\\x00ff22' }]);
});

test('consecutive bodies of 16 MiB take a limited amount of memory', async () => {
  const query = 'Nothing.filter(p=>p.name==name)';
  const data = { name: 'x'.repeat(16 * MIB - 1024) };
  const before = residentBytes(program);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(program))), 5);
  for (let count = 0; count < 20; count += 1) {
    expect(await rowsOf(program, query, data)).toEqual([]);
  }
  clearInterval(timer);
  expect(most - before).toBeLessThan(512 * MIB);
});
