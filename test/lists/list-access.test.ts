/** What a sender may do is decided for each query of a list, on both HTTP servers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { describeServers } from '../support/http-servers.js';
import { ask, post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const grants = {
  reader: { readOnly: true, allow: ['metrics'] },
  orders: { entities: { Orders: ['select'], Shippers: ['select', 'update'] } },
  settled: { settings: { 'app.tenant': 'x' } },
  rated: { rate: 3 },
  few: { limits: { requests: 2 } },
};
type Sender = keyof typeof grants;

const READ = { query: 'Orders.filter(p=>p.id==1).map(p=>p.id)' };
const OTHER = { query: 'Shippers.filter(p=>p.id==1).map(p=>p.id)' };
const FORBIDDEN = { query: 'Customers.take(1)' };
const WRITE = { query: 'Shippers.filter(p=>p.id==-1).update({name: "x"})' };

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('in a list, on %s,', (http) => {
  let program: Program;
  const keys = new Map(Object.keys(grants).map((name) => [name, makeKey()]));
  const authorization = (sender: Sender) => ({ authorization: `Bearer ${keys.get(sender)}` });
  const list = (sender: Sender, body: unknown) =>
    post(program, '/execute', body, authorization(sender));
  /** The code of each problem, or the rows. */
  const outcomes = async (sender: Sender, body: unknown) => {
    const { status, json } = await list(sender, body);
    expect(status).toBe(200);
    return Object(json()).map((each: { readonly code?: string }) => each.code ?? each);
  };

  beforeAll(async () => {
    const entries = Object.entries(grants).map(([name, each]) => {
      return { name, hash: digestOf(keys.get(name) ?? ''), ...each };
    });
    const file = server.write(`keys-${http}.json`, JSON.stringify({ keys: entries }));
    program = await server.start(['--http-server', http, '--keys-file', file]);
  });
  afterAll(async () => {
    await program.stop();
  });

  test('each query needs the permission that it needs alone', async () => {
    const queries = [READ, WRITE, OTHER, FORBIDDEN];
    expect(await outcomes('reader', queries)).toEqual([
      [{ id: 1 }],
      'forbidden',
      [{ id: 1 }],
      [expect.any(Object)],
    ]);
    expect(await outcomes('orders', queries)).toEqual([[{ id: 1 }], 0, [{ id: 1 }], 'forbidden']);
    expect((await post(program, '/execute', queries)).status).toBe(401);
  });

  test('each query runs under the settings of its sender', async () => {
    expect(await outcomes('settled', [READ, WRITE, { query: 'Nothing' }])).toEqual([
      [{ id: 1 }],
      0,
      'unknown-entity',
    ]);
  });

  test('each query counts against the rate of a key, and in the metrics', async () => {
    const answers = await outcomes(
      'rated',
      Array.from({ length: 5 }, () => READ),
    );
    expect(answers.slice(0, 3)).toEqual([[{ id: 1 }], [{ id: 1 }], [{ id: 1 }]]);
    expect(answers.slice(3)).toEqual(['rate-limited', 'rate-limited']);
    expect((await list('rated', [READ])).status).toBe(429);
    const { text } = await ask(program, '/metrics', { headers: authorization('reader') });
    expect(text).toContain('rowgate_principal_requests_total{principal="key:rated"} 6\n');
    expect(text).toContain('rowgate_principal_refusals_total{principal="key:rated"} 3\n');
    await until('the rate is restored', async () => (await list('rated', [READ])).status === 200);
  });

  test('each query counts against the unanswered requests of a key, until it is answered', async () => {
    for (let times = 0; times < 3; times += 1) {
      expect(await outcomes('few', [READ, READ, READ])).toEqual([
        ...[[{ id: 1 }], [{ id: 1 }]],
        'rate-limited',
      ]);
    }
    expect(await outcomes('few', [READ])).toEqual([[{ id: 1 }]]);
  });

  test('each query must be among the allowed ones', async () => {
    const text = READ.query;
    const queries = { [digestOf(text)]: text };
    const file = server.write(`queries-${http}.json`, JSON.stringify({ queries }));
    const limited = await server.start(['--http-server', http, '--queries-file', file]);
    const { json } = await post(limited, '/execute', [READ, OTHER, READ]);
    expect(json()).toMatchObject([[{ id: 1 }], { code: 'query-not-allowed' }, [{ id: 1 }]]);
    await limited.stop();
  });
});
