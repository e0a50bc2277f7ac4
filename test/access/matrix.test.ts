/** The status of every endpoint for every kind of sender, on both HTTP servers. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { routes } from '../../src/gateway/routes.js';
import { describeServers } from '../support/http-servers.js';
import { ask, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { wholeDocument } from '../views/narrow-schema.js';

const allow = ['schema', 'import', 'export', 'metrics', 'stats', 'explain'];

const grants: Readonly<Record<string, object>> = {
  full: { allow },
  reader: { readOnly: true },
  clerk: { view: 'narrow', allow },
  orders: {
    entities: {
      Orders: ['select', 'insert'],
      Shippers: ['select', 'update'],
      Categories: ['insert', 'update', 'delete'],
    },
    allow,
  },
  staged: { stages: ['forced'], allow },
  part: { view: 'narrow', entities: { Orders: ['select'] } },
  inserter: { entities: { Customers: ['select', 'update'], Orders: ['insert'] } },
  expired: { allow, expires: '2026-01-01T00:00:00Z' },
};

/** `none`: no header; `unknown`: a key that is not in the file. */
const senders = ['none', 'unknown', 'expired', 'full', 'reader', 'clerk', 'orders', 'staged'];

const query = (text: string, data?: unknown, options?: object) =>
  JSON.stringify({ query: text, ...(data !== undefined && { data }), ...(options && { options }) });
const order = (name: string) => ({ customerId: 'ARSTJ', employeeId: 1, name });
const steps = (...queries: readonly string[]) =>
  JSON.stringify(queries.map((text) => ({ query: text })));
const shipper = JSON.stringify({ entities: [{ entity: 'Shippers', rows: [] }] });
const touchNothing = 'Shippers.filter(p=>p.id==-1).update({name:"x"})';

/** Statuses in the order of `senders`. The first column is the method and the path of a route. */
const table: readonly (readonly [
  route: string,
  statuses: string,
  body?: string | undefined,
  path?: string,
])[] = [
  ['GET /ping', '200 200 200 200 200 200 200 200'],
  ['GET /health', '200 200 200 200 200 200 200 200'],
  ['GET /version', '200 200 200 200 200 200 200 200'],
  ['GET /livez', '200 200 200 200 200 200 200 200'],
  ['GET /readyz', '200 200 200 200 200 200 200 200'],
  ['GET /metrics', '401 401 401 200 403 200 200 200'],
  ['GET /', '404 404 404 404 404 404 404 404'],
  ['GET /docs', '200 200 200 200 200 200 200 200'],
  ['GET /docs/{name}', '200 200 200 200 200 200 200 200', undefined, '/docs/docs.css'],
  ['GET /openapi.json', '401 401 401 200 200 200 200 200'],
  ['GET /stats', '401 401 401 200 403 200 200 200'],
  ['DELETE /stats', '401 401 401 204 403 204 204 204'],
  ['GET /console', '200 200 200 200 200 200 200 200'],
  ['GET /console/{file}', '404 404 404 404 404 404 404 404', undefined, '/console/none.js'],
  ['POST /metadata', '401 401 401 200 200 200 200 200', query('Orders')],
  ['POST /metadata', '401 401 401 200 200 400 403 400', query('Employees')],
  ['POST /model', '401 401 401 200 200 200 403 200', query('Orders.include(p=>p.details)')],
  ['POST /parameters', '401 401 401 200 200 200 200 200', query('Orders')],
  ['POST /constraints', '401 401 401 200 403 200 200 200', query('Orders.insert()')],
  ['POST /plan', '401 401 401 200 403 200 200 200', query('Orders')],
  // The database's explanation would show what a view hides.
  ['POST /explain', '401 401 401 200 403 403 200 403', query('Orders')],
  ['POST /explain', '401 401 401 200 403 403 403 403', query('Employees')],
  [
    'POST /explain',
    '401 401 401 200 403 403 200 403',
    query('Orders', undefined, { view: 'narrow' }),
  ],
  ['POST /execute', '401 401 401 200 200 200 200 200', query('Orders.first()')],
  ['POST /execute', '401 401 401 200 200 400 403 400', query('Employees.first()')],
  [
    'POST /execute',
    '401 401 401 200 200 200 403 200',
    query('Orders.first(p=>p.customer.country)'),
  ],
  [
    'POST /execute',
    '401 401 401 200 200 200 403 200',
    query('Orders.filter(p=>exists(p.details)).count()'),
  ],
  ['POST /execute', '401 401 401 200 403 200 200 200', query(touchNothing)],
  ['POST /execute', '401 401 401 200 403 200 403 200', query('Shippers.insert()', shipperRow())],
  ['POST /execute', '401 401 401 200 403 200 403 200', query('Shippers.delete()', { id: -1 })],
  ['POST /execute', '401 401 401 200 403 200 200 200', query('Orders.insert()', order('new'))],
  // A sender cannot use another view or stage.
  [
    'POST /execute',
    '401 401 401 200 200 403 200 403',
    query('Orders.first()', undefined, { view: 'default' }),
  ],
  [
    'POST /execute',
    '401 401 401 200 200 403 200 403',
    query('Orders.first()', undefined, { stage: 'default', view: 'default' }),
  ],
  [
    'POST /execute',
    '401 401 401 200 200 403 200 403',
    query('Shippers.first()', undefined, { stage: 'customers' }),
  ],
  ['POST /transaction', '401 401 401 200 200 200 200 200', steps('Orders.first()')],
  ['POST /transaction', '401 401 401 200 403 200 200 200', steps('Orders.first()', touchNothing)],
  [
    'POST /transaction',
    '401 401 401 200 200 400 403 400',
    steps('Orders.first()', 'Employees.first()'),
  ],
  ['GET /schema/version', '401 401 401 200 403 200 200 200'],
  ['GET /schema', '401 401 401 200 403 200 200 200'],
  ['GET /domain', '401 401 401 200 403 200 200 200'],
  ['GET /entities', '401 401 401 200 403 200 200 200'],
  ['GET /entities', '401 401 401 200 403 403 200 403', undefined, '/entities?view=default'],
  ['GET /entities/{name}', '401 401 401 200 403 404 200 404', undefined, '/entities/Employees'],
  ['GET /enums', '401 401 401 200 403 200 200 200'],
  ['GET /enums/{name}', '401 401 401 404 403 404 404 404', undefined, '/enums/None'],
  ['GET /sources', '401 401 401 200 403 200 200 200'],
  ['GET /sources/{name}', '401 401 401 200 403 200 200 200', undefined, '/sources/default'],
  ['GET /mappings', '401 401 401 200 403 200 200 200'],
  ['GET /mappings/{name}', '401 401 401 200 403 200 200 200', undefined, '/mappings/default'],
  [
    'GET /mappings/{name}/{entity}',
    '401 401 401 200 403 200 200 200',
    undefined,
    '/mappings/default/Orders',
  ],
  ['GET /views', '401 401 401 200 403 200 200 200'],
  ['GET /stages', '401 401 401 200 403 200 200 200'],
  ['GET /stages/{name}', '401 401 401 200 403 200 200 403', undefined, '/stages/default'],
  [
    'POST /stages/{name}/import',
    '401 401 401 200 403 200 403 403',
    shipper,
    '/stages/default/import',
  ],
  [
    'GET /stages/{name}/exists',
    '401 401 401 200 403 200 200 403',
    undefined,
    '/stages/default/exists',
  ],
  [
    'GET /stages/{name}/export',
    '401 401 401 200 403 200 403 403',
    undefined,
    '/stages/default/export',
  ],
  [
    'GET /stages/{name}/export',
    '401 401 401 200 403 403 403 403',
    undefined,
    '/stages/default/export?view=default',
  ],
];

/** A listener writes to an entity that only some senders may write to. */
const heard = {
  name: 'heard',
  on: ['insert'],
  condition: 'entity == "Orders" && data.city == "heard"',
  before: 'Suppliers.insert({name: data.name})',
};
const application = { application: { listeners: [heard] } };

const lines = table.map(([route, statuses, body, path]) => ({ route, statuses, body, path }));

function shipperRow() {
  return { name: 'duplicate' };
}

const ISSUER = 'https://id.example';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedBy = (key: KeyObject) => (text: string) =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');

/** A token of the kind `full`, unless its claims, algorithm or signature are others. */
function token(claims: object = {}, alg = 'RS256', signature = signedBy(rsa.privateKey)): string {
  const seconds = Math.floor(Date.now() / 1000);
  const own = { sub: 'ada', iss: ISSUER, exp: seconds + 3600, rowgate: { allow }, ...claims };
  const text = `${part({ alg })}.${part(own)}`;
  return `${text}.${signature(text)}`;
}

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const hmac = (secret: string) => (text: string) =>
  createHmac('sha256', secret).update(text).digest('base64url');
const REVOKED = makeKey();

/** Further kinds of senders, each of which may do what another one may. */
const alike: readonly (readonly [name: string, as: string, secret: () => string])[] = [
  ['revoked', 'unknown', () => REVOKED],
  ['token', 'full', () => token()],
  ['token of a reader', 'reader', () => token({ rowgate: { readOnly: true } })],
  ['token with a view', 'clerk', () => token({ rowgate: { view: 'narrow', allow } })],
  ['token of a clock that is slow', 'full', () => token({ exp: secondsFromNow(-5) })],
  ['token that has expired', 'unknown', () => token({ exp: secondsFromNow(-90) })],
  ['token before its time', 'unknown', () => token({ nbf: secondsFromNow(90) })],
  ['token of another issuer', 'unknown', () => token({ iss: 'https://evil.example' })],
  ['token without an issuer', 'unknown', () => token({ iss: undefined })],
  ['token of a stranger', 'unknown', () => token({}, 'RS256', signedBy(stranger.privateKey))],
  ['token by another algorithm', 'unknown', () => token({}, 'ES256', signedBy(curve.privateKey))],
  ['token that is not signed', 'unknown', () => token({}, 'none', () => '')],
  ['token signed with the public key', 'unknown', () => token({}, 'HS256', hmac(publicKey))],
];

let server: SampleServer;
const secrets = new Map<string, string | undefined>(senders.map((name) => [name, makeKey()]));
secrets.set('none', undefined);
for (const name of ['part', 'inserter']) secrets.set(name, makeKey());
/** Tokens are made for each request, because their times are relative to now. */
const secretOf = (name: string) => alike.find(([own]) => own === name)?.[2]() ?? secrets.get(name);

beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

it('has a line for every endpoint', () => {
  const known = new Set(table.map(([route]) => route));
  expect(
    routes.map(([method, path]) => `${method} ${path}`).filter((each) => !known.has(each)),
  ).toEqual([]);
});

describeServers('with keys, on %s,', (http) => {
  let program: Program;
  /** The keys that verify tokens cannot be fetched. */
  let lost: Program;

  beforeAll(async () => {
    const keys = Object.entries(grants).map(([name, own]) => {
      return { name, hash: digestOf(secrets.get(name) ?? ''), ...own };
    });
    const all = [...keys, { name: 'revoked', hash: digestOf(REVOKED), allow }];
    const file = server.write(`keys-${http}.json`, JSON.stringify({ keys: all }));
    const verifier = server.write('public.pem', publicKey);
    const document = Object.assign(wholeDocument('PostgreSQL', server.url) ?? {}, application);
    const schema = server.write('schema.json', JSON.stringify(document));
    const flags = ['--http-server', http, '--schema', schema];
    program = await server.start([
      ...flags,
      ...['--keys-file', file, '--jwt-key-file', verifier, '--jwt-issuer', ISSUER],
    ]);
    const jwks = ['--jwt-jwks-url', 'http://127.0.0.1:1/keys'];
    lost = await server.start([...flags, '--workers', '1', ...jwks]);
    for (const each of [program, lost]) {
      await until('it is ready', async () => (await ask(each, '/readyz')).status === 200);
    }
    const statusOfRevoked = async () =>
      (await request(program, REVOKED, 'GET', '/entities')).status;
    expect(await statusOfRevoked()).toBe(200);
    writeFileSync(file, JSON.stringify({ keys }));
    await until('the key is revoked', async () => (await statusOfRevoked()) === 401);
  });
  afterAll(() => Promise.all([program.stop(), lost.stop()]));

  const request = (
    to: Program,
    secret: string | undefined,
    method: string,
    path: string,
    body?: string,
  ) => {
    return ask(to, path, {
      method,
      headers: {
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  };
  const send = (name: string, method: string, path: string, body?: string) =>
    request(program, secretOf(name), method, path, body);

  const kinds = senders.map((name) => ({ name, as: name }));
  const others = alike.map(([name, as]) => ({ name, as }));

  it('answers 503 where a token is needed whose key cannot be fetched', async () => {
    const column = senders.indexOf('unknown');
    for (const { route, statuses, body, path } of lines) {
      const [method = '', template = ''] = route.split(' ');
      const status = Number(statuses.split(' ')[column]);
      const answer = await request(lost, token(), method, path ?? template, body);
      expect([route, answer.status]).toEqual([route, status === 401 ? 503 : status]);
    }
  });

  describe.each([...kinds, ...others])('$name', ({ name, as }) => {
    it.each(lines)('$route $path $body', async ({ route, statuses, body, path }) => {
      const [method = '', template = ''] = route.split(' ');
      // A row can be inserted only once.
      const own = body?.replace('duplicate', `${http} ${name}`);
      const answer = await send(name, method, path ?? template, own);
      expect(answer.status).toBe(Number(statuses.split(' ')[senders.indexOf(as)]));
      if (answer.status !== 401) return;
      const error = name === 'none' ? '' : ' error="invalid_token"';
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer${error}`);
      expect(answer.json()).toMatchObject({ code: 'unauthenticated' });
    });
  });

  it('runs a body under the view of each sender, however often the body is sent', async () => {
    const body = query('Customers.count()');
    const counts = { full: new Set<string>(), clerk: new Set<string>() };
    for (let round = 0; round < 5; round += 1) {
      for (const name of ['full', 'clerk'] as const) {
        counts[name].add((await send(name, 'POST', '/execute', body)).text);
      }
    }
    expect([counts.full.size, counts.clerk.size]).toEqual([1, 1]);
    expect(counts.full).not.toEqual(counts.clerk);
  });

  it('lists only the stages that the sender may use', async () => {
    const stagesOf = async (name: string) => (await send(name, 'GET', '/stages')).json();
    expect(await stagesOf('staged')).toEqual([{ name: 'forced', sources: [{ name: 'default' }] }]);
    expect(await stagesOf('full')).toHaveLength(3);
  });

  it.each([
    ['Orders.include(p=>p.details)', 'select', 'Orders.details'],
    ['Orders.map(p=>p.customer.country)', 'select', 'Customers'],
    ['Orders.map(p=>({n:p.details.count()}))', 'select', 'Orders.details'],
    ['Orders.filter(p=>exists(p.details))', 'select', 'Orders.details'],
    // They reveal whether rows exist.
    ['Categories.filter(p=>p.id==-1).update({name:"x"})', 'select', 'Categories'],
    ['Categories.upsert()', 'select', 'Categories'],
    ['Categories.deleteAll()', 'select', 'Categories'],
    ['Shippers.upsert()', 'insert', 'Shippers'],
    ['Orders.upsert()', 'update', 'Orders'],
    ['Orders.insert().include(p=>p.details)', 'insert', 'Orders.details'],
  ])('names the missing permission, and nothing else: %s', async (text, verb, entity) => {
    const answer = await send('orders', 'POST', '/execute', query(text));
    expect(answer.json()).toMatchObject({
      code: 'forbidden',
      detail: `The key or token does not include '${verb}' for '${entity}'.`,
    });
  });

  it.each([
    'Customers.filter(p=>p.id==id).update(p=>({phone:p.orders.max(o=>o.address)}))',
    'Customers.filter(p=>p.id==id && exists(p.orders,o=>o.id>0)).update({phone:phone})',
  ])('needs select to read rows, also if others are inserted: %s', async (text) => {
    const data = { id: 'ARSTJ', phone: '1', orders: [] };
    for (const own of [text, `${text}.include(p=>p.orders.insert())`]) {
      const answer = await send('inserter', 'POST', '/execute', query(own, data));
      expect([own, answer.json()]).toMatchObject([
        own,
        { code: 'forbidden', detail: "The key or token does not include 'select' for 'Orders'." },
      ]);
    }
  });

  it('needs no select to insert rows', async () => {
    const text =
      'Customers.filter(p=>p.id==id).update({phone:phone}).include(p=>p.orders.insert())';
    const beside = query(text, { id: 'none', phone: '1', orders: [] });
    for (const body of [query('Orders.insert()', order('inserted')), beside])
      expect((await send('inserter', 'POST', '/execute', body)).status).toBe(200);
  });

  it('hides nothing by restricting entities', async () => {
    expect((await send('orders', 'GET', '/entities')).text).toContain('"Employees"');
    const answer = await send('orders', 'POST', '/execute', query('Employee'));
    expect(answer.text).toContain('Employees');
  });

  it('needs no permission for what the conditions of a view read', async () => {
    const body = query('Orders.count()');
    const counted = await send('part', 'POST', '/execute', body);
    expect(counted.text).toBe((await send('clerk', 'POST', '/execute', body)).text);
    const customers = await send('part', 'POST', '/execute', query('Customers.count()'));
    expect(customers.status).toBe(403);
  });

  it('needs no permission for what a listener writes', async () => {
    const name = `heard on ${http}`;
    const row = { ...order(name), city: 'heard' };
    const insert = await send('orders', 'POST', '/execute', query('Orders.insert()', row));
    expect(insert.status).toBe(200);
    const find = query('Suppliers.filter(p=>p.name==name).count()', { name });
    expect((await send('full', 'POST', '/execute', find)).text).toBe('[{"count":1}]');
    const own = await send('orders', 'POST', '/execute', query('Suppliers.insert()', { name }));
    expect(own.status).toBe(403);
  });
});
