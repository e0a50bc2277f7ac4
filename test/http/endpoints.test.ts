import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

describeServers('the endpoints on %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server);
  });
  afterAll(() => started.gateway.close());

  const get = (path: string, init?: RequestInit) => fetch(`${started.base}${path}`, init);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('answers ping with pong and an ISO time', async () => {
    const response = await get('/ping?format=beautiful');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^\{\n {2}"message": "pong",\n {2}"time": "[\d-]+T[\d:.]+Z"\n\}$/);
  });

  it.each([
    ['/schema/version', { version: '1.2.3' }],
    ['/sources', [{ name: 'default', dialect: 'PostgreSQL' }]],
    ['/sources/default', [{ name: 'default', dialect: 'PostgreSQL' }]],
    ['/views', ['default', 'narrow']],
    ['/stages/default', { name: 'default', sources: [{ name: 'default' }] }],
    ['/enums/Colour', { name: 'Colour', values: [{ name: 'red', value: 1 }] }],
    ['/version', { version: '9.9.9' }],
    ['/stages/default/exists', { exists: true }],
    ['/stages/absent/exists', { exists: false }],
    ['/livez', { status: 'live' }],
    ['/readyz', { status: 'ready' }],
    ['/stages/default/export', { exported: 'default', pretty: false }],
  ])('answers GET %s', async (path, expected) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(expected);
  });

  it.each([
    '/schema',
    '/domain',
    '/entities',
    '/enums',
    '/mappings',
    '/mappings/default',
    '/stages',
  ])('gives GET %s the same value compact and beautiful', async (path) => {
    const compact = await (await get(path)).text();
    const beautiful = await (await get(`${path}?format=beautiful`)).text();
    expect(JSON.stringify(JSON.parse(beautiful), null, 2)).toBe(beautiful);
    expect(JSON.stringify(JSON.parse(beautiful))).toBe(compact);
  });

  it('shows no connection in its answers about the schema', async () => {
    for (const path of ['/schema', '/sources', '/mappings', '/stages']) {
      expect(await (await get(path)).text()).not.toContain('secret');
    }
  });

  it('accepts dots, escapes and one trailing slash in names of a path', async () => {
    for (const path of [
      '/entities/Orders.details',
      '/entities/Orders%2Edetails',
      '/entities/Orders.details/',
      '/mappings/default/Orders.details',
    ]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.json()).toMatchObject({ name: 'Orders.details' });
    }
  });

  it.each([
    ['/entities/Nope', 404, 'entity-not-found'],
    ['/enums/Nope', 404, 'enum-not-found'],
    ['/sources/Nope', 404, 'source-not-found'],
    ['/mappings/Nope', 404, 'mapping-not-found'],
    ['/mappings/Nope/Orders', 404, 'mapping-not-found'],
    ['/mappings/default/Nope', 404, 'entity-not-found'],
    ['/stages/Nope', 404, 'stage-not-found'],
    ['/stages/Nope/exists', 404, 'stage-not-found'],
    ['/stages/Nope/export', 404, 'stage-not-found'],
    ['/entities/', 200, undefined],
    ['/nope', 404, 'not-found'],
    ['/', 404, 'not-found'],
    ['//', 404, 'not-found'],
    ['/entities/%zz', 400, 'path-malformed'],
    ['/entities/%ff', 400, 'path-malformed'],
    ['/entities/constructor', 404, 'entity-not-found'],
    ['/entities/__proto__', 404, 'entity-not-found'],
    ['/execute', 405, 'method-not-allowed'],
  ])('answers GET %s with %i %s', async (path, status, code) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    if (code === undefined) return;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ status, code, type: `urn:rowgate:problem:${code}` });
  });

  it.each([
    ['/Execute', "Did you mean '/execute'?"],
    ['/excute', "Did you mean '/execute'?"],
    ['/swagger.json', 'POST /execute executes a query; GET /openapi.json describes all endpoints.'],
    ['/', 'POST /execute executes a query; GET /openapi.json describes all endpoints.'],
    ['/entities/orders', 'GET /entities lists them.'],
    ['/stages/Nope/exists', 'GET /stages lists them.'],
  ])('says what to do instead of %s', async (path, hint) => {
    expect(await (await get(path)).json()).toMatchObject({ status: 404, hint });
  });

  it('names the allowed methods of a path in 405 and OPTIONS', async () => {
    const refused = await get('/ping', { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const asked = await get('/execute', { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect((await get('/nope', { method: 'OPTIONS' })).status).toBe(404);
    expect((await get('/execute', { method: 'HEAD' })).status).toBe(405);
  });

  it('answers HEAD like GET, without the body', async () => {
    const whole = await get('/entities');
    const head = await get('/entities', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String((await whole.text()).length));
    expect(await head.text()).toBe('');
    expect((await get('/stages/default/export', { method: 'HEAD' })).status).toBe(200);
    const hidden = await get('/stages/default/export?view=nope', { method: 'HEAD' });
    expect(hidden.status).toBe(404);
  });

  it('describes a query from its plan', async () => {
    const query = { query: 'Orders.filter(p=>p.id==id).include(p=>p.details)' };
    expect(await (await post('/plan', query)).text()).toBe(
      '{"entity":"Orders","dialect":"PostgreSQL","source":"default","sentence":"SELECT 1",' +
        '"children":[{"entity":"Orders.details","dialect":"PostgreSQL","source":"default",' +
        '"sentence":"SELECT 2"}]}',
    );
    for (const path of ['/metadata', '/model', '/parameters', '/constraints', '/plan']) {
      const compact = await (await post(path, query)).text();
      const beautiful = await (await post(`${path}?format=beautiful`, query)).text();
      expect(JSON.stringify(JSON.parse(beautiful), null, 2)).toBe(beautiful);
      expect(JSON.stringify(JSON.parse(beautiful))).toBe(compact);
    }
  });

  it('compiles an expression once, and sends its plan to a worker once', async () => {
    const query = { query: 'Orders.filter(p=>p.once==1)' };
    const first = await (await post('/execute', query)).json();
    const second = await (await post('/execute', query)).json();
    expect(first).toMatchObject({ planSent: true });
    expect(second).toMatchObject({ planSent: false });
    expect(second).toHaveProperty('compiles', Reflect.get(Object(first), 'compiles'));
  });

  it('describes the schema as the view of the URL shows it', async () => {
    const entities = await (await get('/entities?view=narrow')).text();
    expect(await (await get('/entities')).text()).toMatch(/price.*Orders\.details/);
    expect(entities).not.toMatch(/price|details|hidden/i);
    expect(JSON.parse(entities)).toMatchObject([{ name: 'Orders', relations: [] }]);
    for (const path of ['/schema', '/domain', '/mappings', '/mappings/default']) {
      const text = await (await get(`${path}?format=beautiful&view=narrow`)).text();
      expect(text).not.toMatch(/price|details/i);
    }
    const paths = ['/entities/Orders.details', '/mappings/default/Orders.details'];
    for (const path of paths) {
      expect((await get(path)).status).toBe(200);
      const hidden = await get(`${path}?view=narrow`);
      const absent = await get(`${path.replace('details', 'no')}?view=narrow`);
      expect(hidden.status).toBe(404);
      const text = (await hidden.text()).replaceAll('details', 'no').replace(/"req.*/, '');
      expect((await absent.text()).startsWith(text)).toBe(true);
    }
  });

  it('answers 404 for an unknown view', async () => {
    const response = await get('/entities?view=narow');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'unknown-view',
      hint: "Did you mean 'narrow'?",
    });
  });

  it('serves a stage only with the view that it forces', async () => {
    const statusFor = async (options: object) =>
      (await post('/plan', { query: 'Orders', options })).status;
    expect(await statusFor({ stage: 'forced' })).toBe(200);
    expect(await statusFor({ stage: 'forced', view: 'narrow' })).toBe(200);
    for (const view of ['default', 'nowhere']) {
      expect(await statusFor({ stage: 'forced', view })).toBe(403);
      const exported = await get(`/stages/forced/export?view=${view}`);
      expect(exported.status).toBe(403);
      expect(await exported.json()).toMatchObject({ code: 'view-forbidden' });
    }
    expect((await get('/stages/forced/export')).status).toBe(200);
  });

  it('distinguishes plans of different stages and views', async () => {
    const ids = new Set<unknown>();
    for (const options of [{}, { stage: 'a' }, { view: 'a' }, { stage: 'a', view: 'a' }]) {
      const answer = await (await post('/execute', { query: 'Orders.apart', options })).json();
      ids.add(Reflect.get(Object(answer), 'planId'));
    }
    expect(ids.size).toBe(4);
  });

  it('passes on data that is a string unchanged, and nested data with all its digits', async () => {
    const dataOf = async (body: unknown) => {
      const answer: unknown = await (await post('/execute', body)).json();
      return Reflect.get(Object(answer), 'data');
    };
    expect(await dataOf({ query: 'Q', data: '{ "a" : 1.10 }' })).toBe('{ "a" : 1.10 }');
    expect(await dataOf({ query: 'Q', data: { a: [1, 'x', null] } })).toBe('{"a":[1,"x",null]}');
    expect(await dataOf({ query: 'Q' })).toBeUndefined();
    expect(await dataOf('{"query":"Q","data":{"n":12345678901234567890}}')).toBe(
      '{"n":12345678901234567890}',
    );
    expect(await dataOf('{"query":"Q","data":{"n":0.12345678901234567,"e":1e400}}')).toBe(
      '{"n":0.12345678901234567,"e":1e400}',
    );
    expect(await dataOf('{"query":"Q","data":{"a":1,"a":2}}')).toBe('{"a":2}');
    expect(await dataOf('{"query":"Q","data":{"a":1234567890123456,"a":2}}')).toBe('{"a":2}');
    expect(await dataOf({ query: 'Q', data: '{}', options: '{"stage":"s"}' })).toBe('{}');
  });

  it("accepts the options of lambdaorm's clients, and suggests one for an unknown name", async () => {
    const taken = { headers: { a: 'b' }, chunkSize: 10, tryAllCan: true, view: 'default' };
    expect((await post('/execute', { query: 'Q', options: taken })).status).toBe(200);
    const refused = await post('/execute', { query: 'Q', options: { veiw: 'narrow' } });
    expect(await refused.json()).toMatchObject({
      code: 'options-invalid',
      detail: "There is no option 'veiw'.",
      hint: "Did you mean 'view'?",
    });
  });

  it('takes the query by the name that older clients of lambdaorm-svc send', async () => {
    const old = { expression: 'Q', options: { stage: 's' }, data: {} };
    expect((await post('/execute', old)).status).toBe(200);
    expect((await post('/plan', { expression: 'Q' })).status).toBe(200);
    const both = await post('/execute', { query: 'Q', expression: 7 });
    expect(both.status).toBe(200);
  });

  it('answers a body with "qurey" that it is called query', async () => {
    const response = await post('/execute', { data: '{}', qurey: 'Q' });
    expect(await response.json()).toMatchObject({
      code: 'query-missing',
      hint: "Send the 'qurey' as 'query'.",
    });
  });

  it.each([
    ['', 400, 'body-not-json'],
    ['nope', 400, 'body-not-json'],
    ['{"query":"Q"', 400, 'body-not-json'],
    ['{"query":"Q"} x', 400, 'body-not-json'],
    ['7', 400, 'body-not-object'],
    ['null', 400, 'body-not-object'],
    ['"Q"', 400, 'body-not-object'],
    ['{}', 400, 'query-missing'],
    ['{"__proto__":{"query":"Q"}}', 400, 'query-missing'],
    ['{"query":1}', 400, 'query-missing'],
    ['{"query":null}', 400, 'query-missing'],
    ['{"query":" "}', 400, 'query-missing'],
    ['{"query":"Q","data":1}', 400, 'data-malformed'],
    ['{"query":"Q","data":true}', 400, 'data-malformed'],
    [`{"query":"Q","data":{"a":${nested(100_000)}}}`, 400, 'data-malformed'],
    [`{"query":"Q","data":{"a":1234567890123456,"b":${nested(100_000)}}}`, 400, 'data-malformed'],
    ['{"query":"Q","options":1}', 400, 'options-invalid'],
    ['{"query":"Q","options":[]}', 400, 'options-invalid'],
    ['{"query":"Q","options":"nope"}', 400, 'options-invalid'],
    ['{"query":"Q","options":{"stage":1}}', 400, 'options-invalid'],
    ['{"query":"Q","options":{"veiw":"narrow"}}', 400, 'options-invalid'],
    ['{"query":"Q","options":"{\\"Stage\\":\\"default\\"}"}', 400, 'options-invalid'],
    ['{"query":"Q","view":"narrow"}', 400, 'member-unknown'],
    ['{"query":"syntax"}', 400, 'query-syntax'],
  ])('answers POST /execute of %s with %i %s', async (body, status, code) => {
    const response = await post('/execute', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, status });
  });

  it('refuses an expression over the limit', async () => {
    const response = await post('/execute', { query: 'x'.repeat(65_537) });
    expect(await response.json()).toMatchObject({ status: 400, code: 'query-too-long' });
  });

  it('includes the place and hint of an error', async () => {
    const response = await post('/plan', { query: 'syntax' });
    expect(await response.json()).toMatchObject({ position: { ln: 1, col: 2 }, hint: 'a hint' });
  });

  it('ignores a byte order mark before a body', async () => {
    expect((await post('/execute', '\ufeff{"query":"Q"}')).status).toBe(200);
  });

  it('refuses a body that is not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"query":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    const response = await get('/execute', { method: 'POST', body });
    expect(await response.json()).toMatchObject({ status: 400, code: 'body-not-json' });
  });

  it.each([
    ['text/plain', 415],
    ['application/xml', 415],
    ['application/json; charset=latin1', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/jsonp', 415],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/vnd.api+json', 200],
    ['APPLICATION/JSON', 200],
  ])('answers a body of type %s with %i', async (type, status) => {
    expect((await post('/execute', { query: 'Q' }, { 'content-type': type })).status).toBe(status);
  });

  it.each([
    ['gzip', 415],
    ['br', 415],
    ['identity', 200],
  ])('answers a body with the content coding %s with %i', async (coding, status) => {
    const response = await post('/execute', { query: 'Q' }, { 'content-encoding': coding });
    expect(response.status).toBe(status);
  });

  it('reports that a blank query is empty', async () => {
    const detail = '"query" must be a string with an expression, but it is empty.';
    expect(await (await post('/execute', { query: ' ' })).json()).toMatchObject({ detail });
  });

  it.each([
    ['unique-violation', 409],
    ['foreign-key-violation', 409],
    ['serialization-failure', 409],
    ['not-null-violation', 422],
    ['check-violation', 422],
    ['value-too-long', 422],
    ['value-out-of-range', 400],
    ['evaluation-failed', 400],
    ['statement-timeout', 504],
    ['source-unavailable', 503],
    ['queue-timeout', 503],
    ['rows-over-limit', 422],
    ['unknown-stage', 404],
    ['internal', 500],
    ['a-code-that-is-unknown', 500],
  ])('answers a failure %s of a worker with %i', async (fail, status) => {
    const response = await post('/execute', { query: 'Q', data: { fail } });
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
    const body = await response.text();
    expect(body).not.toContain('secret stack');
    expect(JSON.parse(body)).toMatchObject({ status, code: status === 500 ? 'internal' : fail });
  });

  it('logs an internal error with its stack under the id of the request', async () => {
    await post(
      '/execute',
      { query: 'Q', data: { fail: 'internal' } },
      { 'x-request-id': 'mine-1' },
    );
    expect(started.observations).toContainEqual(
      expect.objectContaining({
        kind: 'request',
        request: expect.objectContaining({
          requestId: 'mine-1',
          status: 500,
          failure: { code: 'internal', detail: 'told to: internal', cause: 'Error: secret stack' },
        }),
      }),
    );
  });

  it('returns a request id that is short printable ASCII, and creates one otherwise', async () => {
    const idOf = async (id: string) =>
      (await get('/ping', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    expect(await idOf('abc-123')).toBe('abc-123');
    expect(await idOf('x'.repeat(129))).toMatch(/^[\w-]{12}-[0-9a-z]+$/);
    expect(await idOf('a b')).toMatch(/^[\w-]{12}-[0-9a-z]+$/);
    expect((await get('/nope')).headers.get('x-request-id')).toMatch(/^[\w-]{12}-[0-9a-z]+$/);
  });
});

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
