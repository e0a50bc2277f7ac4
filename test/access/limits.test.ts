/** The limits of a key: rows, time and unanswered requests, in every way to send a query. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { MANY_ROWS, type StreamsFixture, startStreamsFixture } from '../program/streams-fixture.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { openRequest } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { type Answer, ask, type Program, post, until } from '../support/program.js';

const ROWS = 10;
const TIME_MS = 300;
const names = ['rows', 'time', 'requests', 'none'] as const;
const limits = { rows: { rows: ROWS }, time: { timeMs: TIME_MS }, requests: { requests: 2 } };
const keys = new Map(names.map((name) => [name, makeKey()]));

const folder = makeTemporaryDirectory();
const file = join(folder, 'keys.json');
let fixture: StreamsFixture;
const entries = names.map((name) => ({
  name,
  hash: digestOf(keys.get(name) ?? ''),
  ...(name !== 'none' && { limits: limits[name] }),
  allow: ['explain', 'export'],
}));
const writeKeys = (...more: readonly object[]) =>
  writeFileSync(file, JSON.stringify({ keys: [...entries, ...more] }), { mode: 0o600 });
beforeAll(async () => {
  writeKeys();
  fixture = await startStreamsFixture();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await fixture.stop();
});

const MANY = 'Many.filter(p=>p.id<=n).sort(p=>p.id)';
const NAPS = 'Naps';
const POINT = { query: MANY, data: { n: 1 } };

describeServers('on %s, a key', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer, '--keys-file', file]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const send = (name: (typeof names)[number], path: string, body: unknown): Promise<Answer> =>
    post(program, path, body, { authorization: `Bearer ${keys.get(name)}` });

  test('has a limit of rows', async () => {
    const many = (n: number) => ({ query: MANY, data: { n } });
    const most = await send('rows', '/execute', many(ROWS));
    expect([most.status, most.json()]).toEqual([200, expect.objectContaining({ length: ROWS })]);
    const tooMany = { code: 'rows-over-limit' };
    expect((await send('rows', '/execute', many(ROWS + 1))).json()).toMatchObject(tooMany);
    expect((await send('rows', '/transaction', [many(ROWS + 1)])).json()).toMatchObject(tooMany);
    const list = (await send('rows', '/execute', [many(1), many(ROWS + 1)])).json();
    expect(list).toMatchObject([[{ id: 1 }], tooMany]);
    // Included rows count; those of an export do not.
    const including = (n: number) => ({ query: `${MANY}.include(p=>p.same)`, data: { n } });
    expect((await send('rows', '/execute', including(ROWS / 2))).status).toBe(200);
    expect((await send('rows', '/execute', including(ROWS / 2 + 1))).json()).toMatchObject(tooMany);
    const headers = { authorization: `Bearer ${keys.get('rows')}` };
    expect((await ask(program, '/stages/default/export', { headers })).status).toBe(200);
    const others = (await send('none', '/execute', many(ROWS + 1))).json();
    expect(others).toHaveLength(ROWS + 1);
  });

  test('has the limit of rows of the program, too', async () => {
    const flags = ['--http-server', httpServer, '--keys-file', file, '--rows-max', `${ROWS / 2}`];
    const limited = await fixture.start(flags);
    const headers = { authorization: `Bearer ${keys.get('rows')}` };
    const body = { query: MANY, data: { n: ROWS / 2 + 1 } };
    const answer = await post(limited, '/execute', body, headers);
    expect(answer.json()).toMatchObject({ code: 'rows-over-limit' });
    expect(await limited.stop()).toBe(0);
  });

  test('has a limit of time', async () => {
    const late = { code: 'statement-timeout' };
    for (const [path, body] of [
      ['/execute', { query: NAPS }],
      ['/transaction', [POINT, { query: NAPS }]],
      ['/explain', { query: NAPS, options: { analyze: true } }],
    ] as const) {
      const before = performance.now();
      expect((await send('time', path, body)).json()).toMatchObject(late);
      expect(performance.now() - before).toBeGreaterThan(TIME_MS * 0.9);
    }
    expect((await send('time', '/execute', POINT)).json()).toHaveLength(1);
  });

  test('has a limit of unanswered requests, which the queries of a list count for', async () => {
    const authorization = `Bearer ${keys.get('requests')}`;
    const nap = () =>
      openRequest(program.base, '/execute', { body: { query: NAPS }, headers: { authorization } });
    const naps = await Promise.all([nap(), nap()]);
    const refused = await send('requests', '/execute', POINT);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await send('none', '/execute', POINT)).status).toBe(200);
    for (const each of naps) each.abort();
    const status = async () => (await send('requests', '/execute', POINT)).status;
    await expect.poll(status).toBe(200);
    const list = (await send('requests', '/execute', [POINT, POINT, POINT])).json();
    expect(list).toMatchObject([[{ id: 1 }], [{ id: 1 }], { code: 'rate-limited' }]);
  });

  test('that is revoked completes the requests that have started', async () => {
    const key = makeKey();
    const headers = { authorization: `Bearer ${key}` };
    const status = async () => (await post(program, '/execute', POINT, headers)).status;
    writeKeys({ name: 'revoked', hash: digestOf(key) });
    await until('the key is accepted', async () => (await status()) === 200);
    await withClient(fixture.connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
      const insert = { query: 'Notes.insert()', data: { name: httpServer } };
      const write = post(program, '/execute', insert, headers);
      const all = { body: { query: 'Many.map(p=>p.id)' }, headers };
      const read = await openRequest(program.base, '/execute', all);
      await until('the write waits', () => fixture.connections("wait_event_type = 'Lock'"));
      writeKeys();
      await until('the key is revoked', async () => (await status()) === 401);
      await client.query('COMMIT');
      expect((await write).json()).toMatchObject(insert.data);
      expect(await json(read.message)).toHaveLength(MANY_ROWS);
    });
  });
});
