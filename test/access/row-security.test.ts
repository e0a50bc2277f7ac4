/** PostgreSQL row-level security: each request runs under the settings of its sender. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { rawPost } from '../http/raw-client.js';
import { withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { Connection } from '../support/open-load.js';
import { ask, post, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
const TENANTS = 8;
const CLIENTS = 64;
/** `ROWGATE_TEST_READS=200000` takes some minutes. */
const READS = Number(process.env['ROWGATE_TEST_READS'] ?? 9600);
const READS_MS = 180_000 + READS * 5;

const policies = `
DROP ROLE IF EXISTS clerk;
CREATE ROLE clerk;
GRANT SELECT, INSERT, UPDATE, DELETE ON Shippers, Orders TO clerk;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO clerk;
ALTER TABLE Shippers ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON Shippers
  USING (Phone = current_setting('app.tenant', true))
  WITH CHECK (Phone = current_setting('app.tenant', true));
ALTER TABLE Orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON Orders USING (
  ShipCity = current_setting('request.jwt.claims', true)::json ->> 'city');
DELETE FROM Orders; DELETE FROM Shippers;
INSERT INTO Shippers (CompanyName, Phone)
  SELECT 'shipper ' || t || '-' || n, 't' || t
  FROM generate_series(0, ${TENANTS - 1}) t, generate_series(1, 20) n;
`;

/** `other` is the same database. The role may write neither to it nor to `Suppliers`. */
function documentOf(connection: string): unknown {
  const { domain, infrastructure } = parse(
    readFileSync(new URL('../../schemas/northwind.yaml', import.meta.url), 'utf8'),
  );
  const [source] = infrastructure.sources;
  const sources = ['default', 'other'].map((name) => ({ ...source, name, connection }));
  const stage = {
    name: 'default',
    sources: [{ name: 'other', condition: 'entity == "Categories"' }, { name: 'default' }],
  };
  const listener = {
    on: ['insert'],
    condition: 'entity == "Shippers" && data.name.includes("heard")',
  };
  const listeners = [
    {
      ...listener,
      name: 'elsewhere',
      after: 'orm.execute("Categories.insert({name: name})", {name: data.name})',
    },
    { ...listener, name: 'failures', error: 'Suppliers.insert({name: data.name})' },
    {
      ...listener,
      name: 'here',
      condition: 'entity == "Shippers" && data.name == "kept"',
      after: 'Suppliers.insert({name: data.name})',
    },
  ];
  const whole = { mappings: infrastructure.mappings, sources, stages: [stage] };
  return { domain, infrastructure: whole, application: { listeners } };
}

let server: SampleServer;
const keys = Array.from({ length: TENANTS }, () => makeKey());
const [open, unknownRole] = [makeKey(), makeKey()];

function token(city: string, settings: object = {}, seconds = 600): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const claims = { sub: 'ada', exp, city, rowgate: { settings: { role: 'clerk', ...settings } } };
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

beforeAll(async () => {
  server = await startSampleServer();
  await withClient(server.connection, (client) =>
    client.query(`DELETE FROM "Order Details"; ${policies}`),
  );
});
afterAll(() => server.stop());

describeServers('with settings, on %s,', (http) => {
  let program: Program;

  beforeAll(async () => {
    const entries = keys.map((key, tenant) => {
      const settings = { role: 'clerk', 'app.tenant': `t${tenant}` };
      return {
        name: `tenant-${tenant}`,
        hash: digestOf(key),
        allow: ['export', 'import', 'explain'],
        settings,
      };
    });
    const others = [
      { name: 'open', hash: digestOf(open), allow: ['import'] },
      { name: 'unknown', hash: digestOf(unknownRole), settings: { role: 'nobody_has_it' } },
    ];
    const file = server.write('keys.json', JSON.stringify({ keys: [...entries, ...others] }));
    const secret = server.write('secret', SECRET);
    program = await server.start([
      ...['--http-server', http, '--keys-file', file, '--jwt-key-file', secret],
      ...['--schema', server.write('schema.json', JSON.stringify(documentOf(server.url)))],
      ...['--transaction-answer-max', '2048'],
    ]);
  });
  afterAll(() => program.stop());

  const execute = (key: string, query: string, data?: unknown, options?: object) =>
    post(program, '/execute', { query, data, options }, { authorization: `Bearer ${key}` });

  it(`each of ${TENANTS} senders reads only its own rows in ${READS} reads`, {
    timeout: READS_MS,
  }, async () => {
    const seen = new Map<number, Set<string>>();
    const client = async (number: number) => {
      const tenant = number % TENANTS;
      const key = keys[tenant] ?? '';
      const connection = new Connection(program.port);
      for (let read = 0; read < READS / CLIENTS; read += 1) {
        // Other senders run the same queries without settings, in batches.
        const own = read % 4 === 3 ? open : key;
        const query =
          read % 2 ? 'Shippers.map(p=>p.phone)' : 'Shippers.filter(p=>p.id>least).map(p=>p.phone)';
        const headers = ['content-type: application/json', `authorization: Bearer ${own}`];
        const body = JSON.stringify({ query, data: { least: 0 } });
        const answer = await connection.ask(rawPost('/execute', body, headers));
        if (own === open) continue;
        const known = seen.get(tenant) ?? new Set();
        seen.set(tenant, known.add(`${answer.status} ${answer.text}`));
      }
      connection.end();
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    for (const [tenant, answers] of seen) {
      const rows = Array.from({ length: 20 }, () => ({ phone: `t${tenant}` }));
      expect([...answers]).toEqual([`200 ${JSON.stringify(rows)}`]);
    }
    expect(seen.size).toBe(TENANTS);
    const all = await execute(open, 'Shippers.count()');
    expect(all.json()).toEqual([{ count: TENANTS * 20 }]);
  });

  it('a sender writes only its own rows, by a single query or a transaction', async () => {
    const [first = '', second = ''] = keys;
    const row = (phone: string) => ({ name: `${http} ${phone}`, phone });
    expect((await execute(first, 'Shippers.insert()', row('t0'))).status).toBe(200);
    const other = await execute(first, 'Shippers.insert()', row('t1'));
    expect([other.status, other.json()]).toMatchObject([403, { code: 'permission-denied' }]);
    const update = 'Shippers.filter(p=>p.phone=="t0").update({name:name})';
    expect((await execute(second, update, { name: 'taken' })).text).toBe('0');
    const headers = { authorization: `Bearer ${second}` };
    const steps = [{ query: 'Shippers.updateAll({phone:"t0"})' }];
    expect((await post(program, '/transaction', steps, headers)).status).toBe(403);
    const keyed = { ...headers, 'idempotency-key': `${http}-1` };
    const body = { query: 'Shippers.insert()', data: row('t1') };
    const answers = [
      await post(program, '/execute', body, keyed),
      await post(program, '/execute', body, keyed),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    await execute(open, 'Shippers.filter(p=>p.name.startsWith(start)).delete()', { start: http });
  });

  it('an idempotency key belongs to its sender and the settings of its sender', async () => {
    const [first = '', second = ''] = keys;
    const insert = async (key: string, name: string, phone: string) => {
      const row = { name: `${http} ${name}`, phone };
      expect((await execute(key, 'Shippers.insert()', row)).status).toBe(200);
    };
    const remove = async (secret: string) => {
      const query = 'Shippers.filter(p=>p.name.startsWith(start)).delete()';
      const data = { start: http };
      const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': `${http}-shared` };
      return (await post(program, '/execute', { query, data }, headers)).text;
    };
    const tenant = (number: number, seconds?: number) =>
      token('Rome', { 'app.tenant': `t${number}` }, seconds);
    await insert(first, 'own 0', 't0');
    await insert(second, 'own 1', 't1');
    await insert(second, 'own 2', 't1');
    const answers = [];
    for (const secret of [first, second, tenant(0), tenant(1)]) answers.push(await remove(secret));
    expect(answers).toEqual(['1', '2', '0', '0']);
    await insert(second, 'own 3', 't1');
    // The stored answers, for the key and for a renewed token.
    expect([await remove(second), await remove(tenant(1, 900))]).toEqual(['2', '0']);
    await execute(open, 'Shippers.filter(p=>p.name.startsWith(start)).delete()', { start: http });
  });

  it('policies can read the claims of a token', async () => {
    await execute(open, 'Orders.insert()', { customerId: 'ARSTJ', employeeId: 1, city: 'Rome' });
    const count = async (city: string) => (await execute(token(city), 'Orders.count()')).text;
    expect(await count('Rome')).not.toBe('[{"count":0}]');
    expect(await count('Oslo')).toBe('[{"count":0}]');
    await execute(open, 'Orders.deleteAll()');
  });

  it('a page after a cursor has the cursor of the next page', async () => {
    const query = 'Shippers.sort(p=>p.name).map(p=>p.name).after(cursor).take(8)';
    const key = keys[0] ?? '';
    const names: string[] = [];
    const links: boolean[] = [];
    let cursor: string | null = null;
    do {
      const page = await execute(key, query, { cursor });
      expect(page.status).toBe(200);
      names.push(...(page.json() as readonly { readonly name: string }[]).map(({ name }) => name));
      const link: string = page.headers.get('link') ?? '';
      cursor = /cursor="([\w-]+)"/.exec(link)?.[1] ?? null;
      links.push(cursor !== null);
    } while (cursor !== null);
    const whole = await execute(key, 'Shippers.sort(p=>p.name).map(p=>p.name)');
    expect(names).toEqual((whole.json() as { name: string }[]).map(({ name }) => name));
    expect([names.length, links]).toEqual([20, [true, true, false]]);
  });

  it('requests that cannot run under the settings are refused', async () => {
    const refused = await execute(unknownRole, 'Shippers');
    expect([refused.status, refused.json()]).toMatchObject([403, { code: 'permission-denied' }]);
    expect(refused.text).not.toContain('nobody_has_it');
    const [key = ''] = keys;
    const headers = { authorization: `Bearer ${key}` };
    expect((await ask(program, '/stages/default/export', { headers })).status).toBe(403);
    const imported = { entities: [{ entity: 'Shippers', rows: [] }] };
    expect((await post(program, '/stages/default/import', imported, headers)).status).toBe(403);
    expect((await execute(key, 'Shippers', undefined, { count: true })).status).toBe(400);
    // It would count the rows of others.
    const explained = await post(program, '/explain', { query: 'Shippers' }, headers);
    expect([explained.status, explained.json()]).toMatchObject([403, { code: 'forbidden' }]);
    const across = { query: 'Products.take(1).include(p=>p.category)' };
    const refusedAcross = await execute(key, across.query);
    expect([refusedAcross.status, refusedAcross.json()]).toMatchObject([
      400,
      { code: 'unsupported', detail: expect.stringContaining("'default', 'other'") },
    ]);
    expect((await execute(open, across.query)).status).toBe(200);
    // A table that the role must not read.
    expect((await execute(key, 'Employees')).status).toBe(403);
    expect((await execute(open, 'Employees.count()')).status).toBe(200);
  });

  it('an answer is buffered, and may have at most --transaction-answer-max bytes', async () => {
    const [key = ''] = keys;
    const names = (count: number) => {
      const columns = Array.from({ length: count }, (_, column) => `c${column}:p.name`);
      return `Shippers.map(p=>({${columns.join()}}))`;
    };
    expect((await execute(key, names(2))).status).toBe(200);
    const answer = await execute(key, names(9));
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'answer-too-large' }]);
    expect((await execute(open, names(9))).status).toBe(200);
  });

  it('only the writes of listeners to other sources, and after errors, run without them', async () => {
    const [key = ''] = keys;
    const insert = async (name: string, phone: string) =>
      (await execute(key, 'Shippers.insert()', { name, phone })).status;
    const counts = async (name: string) => {
      const query = (entity: string) => `${entity}.filter(p=>p.name==name).count()`;
      const all = ['Shippers', 'Categories', 'Suppliers'].map((each) =>
        execute(open, query(each), { name }),
      );
      return (await Promise.all(all)).map((answer) => answer.text.replaceAll(/\D/g, ''));
    };
    expect(await insert(`${http} heard`, 't0')).toBe(200);
    expect(await counts(`${http} heard`)).toEqual(['1', '1', '0']);
    expect(await insert(`${http} heard in vain`, 't1')).toBe(403);
    expect(await counts(`${http} heard in vain`)).toEqual(['0', '0', '1']);
    expect(await insert('kept', 't0')).toBe(422);
    expect(await counts('kept')).toEqual(['0', '0', '0']);
    await execute(open, 'Shippers.filter(p=>p.name.startsWith(start)).delete()', { start: http });
  });
});

it('only the role and the settings of applications can be set', async () => {
  const path = server.write('wrong.json', '');
  for (const name of ['search_path', 'statement_timeout', 'Role', 'app', 'app."x"', '']) {
    const entry = { name: 'a', hash: digestOf('x'), settings: { [name]: 'x' } };
    server.write('wrong.json', JSON.stringify({ keys: [entry] }));
    await expect(server.start(['--keys-file', path])).rejects.toThrow(/'settings' must be/);
  }
});
