/** The requests, refusals and rows of each sender, in the metrics and statistics. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { openRequest } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { ask, post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

interface Counts {
  readonly requests: number;
  readonly refused: number;
  readonly rows: number;
}

const keys = { one: makeKey(), two: makeKey(), settled: makeKey(), watcher: makeKey() };
type Sender = keyof typeof keys;
const CLIENTS = 40;
const SECRET = 'a secret of more than thirty-two bytes, for tests';
/** So many subjects of tokens are counted by their names. */
const SUBJECTS = 1000;

function tokenOf(sub: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 600;
  const text = `${part({ alg: 'HS256' })}.${part({ sub, exp, rowgate: {} })}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('on %s, a sender', (http) => {
  let program: Program;
  let file: string;
  const late = { name: 'late', hash: digestOf('late') };
  let entries: readonly object[];
  beforeAll(async () => {
    entries = Object.entries(keys).map(([name, key]) => ({
      name,
      hash: digestOf(key),
      allow: ['import', 'export', 'metrics', 'stats'],
      ...(name === 'settled' && { settings: { 'app.tenant': 'x' } }),
      ...(name === 'two' && { readOnly: true }),
    }));
    file = server.write(`keys-${http}.json`, JSON.stringify({ keys: entries }));
    const tokens = ['--jwt-key-file', server.write('secret', SECRET)];
    program = await server.start(['--http-server', http, '--keys-file', file, ...tokens]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const headersOf = (sender: Sender, others: object = {}) => ({
    authorization: `Bearer ${keys[sender]}`,
    ...others,
  });
  const send = async (sender: Sender, body: unknown, path = '/execute', others: object = {}) => {
    const answer = await post(program, path, body, headersOf(sender, others));
    expect(answer.text).not.toBe('');
    return answer;
  };
  const countsOf = async (sender: Sender): Promise<Counts> => {
    const headers = headersOf('watcher');
    const { principals } = (await ask(program, '/stats', { headers })).json() as {
      readonly principals: Readonly<Record<string, Counts>>;
    };
    const own = principals[`key:${sender}`] ?? { requests: 0, refused: 0, rows: 0 };
    const { text } = await ask(program, '/metrics', { headers });
    const metrics = [
      ['requests_total', own.requests],
      ['refusals_total', own.refused],
      ['rows_total', own.rows],
    ].map(([name, count]) => `rowgate_principal_${name}{principal="key:${sender}"} ${count}\n`);
    for (const line of metrics) expect(text).toContain(line);
    return own;
  };
  /** What `work` adds to the counts of the sender. */
  const added = async (sender: Sender, work: () => Promise<unknown>): Promise<Counts> => {
    const before = await countsOf(sender);
    await work();
    const after = await countsOf(sender);
    return {
      requests: after.requests - before.requests,
      refused: after.refused - before.refused,
      rows: after.rows - before.rows,
    };
  };

  test.each(['one', 'settled'] as const)(
    '(%s) has the rows of its queries, lists and transactions counted',
    async (sender) => {
      const take = (rows: number) => ({ query: `Orders.details.take(${rows})` });
      const runs: readonly (readonly [rows: number, body: unknown, path?: string])[] = [
        [7, take(7)],
        [0, { query: 'Orders.filter(p=>p.id==-1)' }],
        [3, { query: 'Orders.take(3).include(p=>p.details)' }],
        [9, [take(4), { query: 'None' }, take(5)]],
        [6, [take(2), take(4)], '/transaction'],
        [4, { query: 'Orders.map(p=>p.id).sort(p=>p.id).after(c).take(4)', data: { c: null } }],
      ];
      for (const [rows, body, path] of runs) {
        const { rows: counted } = await added(sender, () => send(sender, body, path));
        expect([body, counted]).toEqual([body, rows]);
      }
    },
  );

  test('has its streamed and its written rows counted', async () => {
    const all = {
      query: 'Orders.details.map(p=>[p.orderId,p.productId,p.order.name,p.order.address])',
    };
    const count = Number(
      (
        (await send('watcher', { query: 'Orders.details.count()' })).json() as [{ count: number }]
      )[0].count,
    );
    const lines = { accept: 'application/x-ndjson' };
    for (const others of [{}, lines]) {
      const { rows } = await added('one', () => send('one', all, '/execute', others));
      expect(rows).toBe(count);
    }
    const insert = { query: 'Shippers.insert()', data: { name: `${http} counted` } };
    expect(await added('one', () => send('one', insert))).toMatchObject({ rows: 1 });
    const remove = { query: 'Shippers.filter(p=>p.name==name).delete()', data: insert.data };
    expect(await added('one', () => send('one', remove))).toMatchObject({ rows: 1 });
    const total = { query: 'Orders.page(1,5)', options: { count: true } };
    expect(await added('one', () => send('one', total))).toMatchObject({ rows: 5 });
  });

  test('has the rows of exports and imports counted', async () => {
    const path = '/stages/default/export';
    let document: { entities: { rows: unknown[] }[] } = { entities: [] };
    const { rows } = await added('one', async () => {
      const answer = await ask(program, path, { headers: headersOf('one') });
      document = answer.json() as typeof document;
    });
    const exported = document.entities.reduce((sum, each) => sum + each.rows.length, 0);
    expect(exported).toBeGreaterThan(1000);
    expect(rows).toBe(exported);
    const shippers = [1, 2, 3].map((number) => ({ id: 90 + number, name: `${http} ${number}` }));
    const body = { entities: [{ entity: 'Shippers', rows: shippers }] };
    const imported = await added('one', async () => {
      const answer = await send('one', body, '/stages/default/import');
      expect(answer.status).toBe(200);
    });
    expect(imported.rows).toBe(3);
    await send('one', { query: 'Shippers.filter(p=>p.id>90).delete()' });
  });

  test('has its own rows counted while many others are batched with it', async () => {
    const body = (id: number) => ({ query: 'Orders.filter(p=>p.id<=n)', data: { n: id } });
    const before = { one: await countsOf('one'), two: await countsOf('two') };
    const expected = { one: 0, two: 0 };
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const sender = client % 2 ? 'one' : 'two';
        for (let round = 1; round <= 10; round += 1) {
          const answer = await send(sender, body((client * round) % 7));
          expected[sender] += (answer.json() as unknown[]).length;
        }
      }),
    );
    for (const sender of ['one', 'two'] as const) {
      const { requests, rows } = await countsOf(sender);
      expect(requests - before[sender].requests).toBe((CLIENTS / 2) * 10);
      expect(rows - before[sender].rows).toBe(expected[sender]);
      expect(expected[sender]).toBeGreaterThan(0);
    }
  });

  test('has refusals counted, without rows', async () => {
    const write = { query: 'Shippers.deleteAll()' };
    expect(await added('two', () => send('two', write))).toEqual({
      requests: 1,
      refused: 1,
      rows: 0,
    });
  });

  test('has the rows counted that were sent before it disconnected', async () => {
    const query = 'Orders.details.include(p=>p.order.include(o=>o.details))';
    const { rows } = await added('one', async () => {
      const headers = headersOf('one', { accept: 'application/x-ndjson' });
      const { message, abort } = await openRequest(program.base, '/execute', {
        body: { query },
        headers,
      });
      await once(message, 'data');
      message.on('error', () => undefined);
      abort();
    });
    expect(rows).toBeGreaterThan(0);
  });

  test('is counted by its name, unless it is the subject of a token beyond 1,000', async () => {
    const statusOf = async (secret: string) =>
      (await ask(program, '/stages', { headers: { authorization: `Bearer ${secret}` } })).status;
    for (let first = 0; first < SUBJECTS + 50; first += 50) {
      const subjects = Array.from({ length: 50 }, (_, index) => `s${first + index}`);
      const statuses = await Promise.all(subjects.map((sub) => statusOf(tokenOf(sub))));
      expect(new Set(statuses)).toEqual(new Set([403]));
    }
    expect(await statusOf(tokenOf('s0'))).toBe(403);
    expect(await statusOf('none')).toBe(401);
    writeFileSync(file, JSON.stringify({ keys: [...entries, late] }));
    await until('the new key is accepted', async () => (await statusOf('late')) === 403);
    const headers = headersOf('watcher');
    const { principals } = (await ask(program, '/stats', { headers })).json() as {
      readonly principals: Readonly<Record<string, Counts>>;
    };
    const single = { requests: 1, refused: 1, rows: 0 };
    const twice = { requests: 2, refused: 2, rows: 0 };
    expect(principals).toMatchObject({
      'token:s0': twice,
      'token:s49': single,
      'key:late': single,
    });
    expect(principals['anonymous']?.refused).toBeGreaterThan(0);
    expect(principals['others']).toEqual({ requests: 50, refused: 50, rows: 0 });
    const names = Object.keys(principals).filter((name) => name.startsWith('token:'));
    expect(names).toHaveLength(SUBJECTS);
    const { text } = await ask(program, '/metrics', { headers });
    expect(text).toContain('rowgate_principal_refusals_total{principal="others"} 50\n');
  });
});
