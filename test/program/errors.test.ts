/**
 * Requests that the program refuses: the answers, and that it continues to run. Hostile texts are
 * treated as data.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectRaw } from '../http/raw-client.js';
import { withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { ask, type Program, post, rowsOf, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await server.start([
      ...['--http-server', httpServer, '--body-max', '100000', '--rows-max', '1000'],
      ...['--statement-timeout-ms', '1000', '--queue-wait-ms', '1000'],
    ]);
  });
  afterEach(async () => {
    expect(await rowsOf(program, 'Shippers.count()')).toEqual([{ count: 4 }]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
    const faults = program.log.filter(({ level, status }) => Number(level) >= 50 || status === 500);
    expect(faults.map(({ event, code }) => [event, code])).toEqual(expectedFaults);
  });

  const execute = (query: unknown, data?: unknown) => post(program, '/execute', { query, data });

  test.each([
    ['no body', '', 'body-not-json'],
    ['no JSON', '{"query":', 'body-not-json'],
    ['null', 'null', 'body-not-object'],
    ['a string', '"Orders"', 'body-not-object'],
    ['no query', '{"data":"{}"}', 'query-missing'],
    ['an empty query', '{"query":""}', 'query-missing'],
    ['a query that is a number', '{"query":7}', 'query-missing'],
    ['a query that is an object', '{"query":{"entity":"Orders"}}', 'query-missing'],
    ['a query that is too long', JSON.stringify({ query: 'x'.repeat(65_537) }), 'query-too-long'],
    ['data that are a number', '{"query":"Shippers","data":7}', 'data-malformed'],
    ['data that are a list', '{"query":"Shippers","data":[]}', 'data-malformed'],
    ['data whose text is not JSON', '{"query":"Shippers","data":"{"}', 'data-malformed'],
    ['data whose text is a list', '{"query":"Shippers","data":"[1]"}', 'data-malformed'],
    ['data whose text is a number', '{"query":"Shippers","data":"1"}', 'data-malformed'],
    ['options that are a number', '{"query":"Shippers","options":1}', 'options-invalid'],
    ['options whose text is not JSON', '{"query":"Shippers","options":"x"}', 'options-invalid'],
  ])('refuses %s with 400', async (_, body, code) => {
    const answer = await post(program, '/execute', body);
    expect(answer.json()).toMatchObject({ status: 400, code });
    expect(answer.status).toBe(400);
  });

  test('refuses a list of queries where only one is described', async () => {
    const answer = await post(program, '/metadata', [{ query: 'Orders' }]);
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'body-not-object' }),
    ]);
  });

  test('answers a problem with all its members', async () => {
    const answer = await post(program, '/execute', {
      query: 'Orders\n  .filter(p=>p.custmerId==1)',
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json()).toEqual({
      type: 'urn:rowgate:problem:unknown-property',
      title: 'Unknown property',
      status: 400,
      detail: "Entity 'Orders' has no property or relation 'custmerId'.",
      code: 'unknown-property',
      requestId: answer.headers.get('x-request-id'),
      position: { ln: 2, col: 16 },
      hint: "Did you mean 'customerId' or 'customer'?",
    });
  });

  test.each([
    ['Orders.filter(p=>p.name=="x)', 'query-syntax', { ln: 1, col: 26 }, undefined],
    ['Order', 'unknown-entity', { ln: 1, col: 1 }, "Did you mean 'Orders'?"],
    [
      'Orders.include(p=>p.detials)',
      'unknown-relation',
      { ln: 1, col: 21 },
      "Did you mean 'details'?",
    ],
    ['Orders.fliter(p=>true)', 'unknown-clause', { ln: 1, col: 8 }, "Did you mean 'filter'?"],
    [
      'Orders.limit(3)',
      'unknown-clause',
      { ln: 1, col: 8 },
      expect.stringContaining('page, first, last, take'),
    ],
    [
      'Orders.filter(p=>p.id in [1])',
      'query-syntax',
      { ln: 1, col: 23 },
      "Write 'in(value, list)'.",
    ],
    ['Orders.filter(p=>p.id=="x")', 'type-mismatch', { ln: 1, col: 22 }, undefined],
    [
      'Customers.filter(p=>p.orders.freight>5)',
      'relation-to-many',
      { ln: 1, col: 23 },
      expect.anything(),
    ],
    [
      `Orders.filter(p=>${'('.repeat(70)}p.id==1${')'.repeat(70)})`,
      'query-too-deep',
      expect.anything(),
      undefined,
    ],
    [`Orders.filter(p=>${'!'.repeat(60_000)}true)`, 'query-too-deep', expect.anything(), undefined],
    [nestedIncludes(9), 'include-too-deep', expect.anything(), undefined],
  ])('reports the place of the error in %s', async (query, code, position, hint) => {
    for (const endpoint of ['execute', 'plan', 'metadata', 'model', 'parameters', 'constraints']) {
      const answer = await post(program, `/${endpoint}`, { query });
      expect(answer.json()).toMatchObject({ status: 400, code, position });
      if (typeof hint === 'string') expect(answer.json()).toMatchObject({ hint });
    }
  });

  test.each([
    ['Products.filter(p=>p.id==x)', {}, 'parameter-missing', 'x'],
    ['Products.filter(p=>p.name==constructor)', {}, 'parameter-missing', 'constructor'],
    ['Products.filter(p=>p.name==a.b)', { a: {} }, 'parameter-missing', 'a.b'],
    ['Products.filter(p=>p.name==a.b)', { a: 'text' }, 'parameter-missing', 'a.b'],
    ['Products.filter(p=>p.id==x)', { x: '' }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.id==x)', { x: 'one' }, 'parameter-type', 'x'],
    ['Products.page(x, 5)', { x: 1.5 }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.id==x)', { x: true }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.id==x)', { x: [1] }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.id==x)', { x: { id: 1 } }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.name==x)', { x: 1 }, 'parameter-type', 'x'],
    ['Products.filter(p=>p.discontinued==x)', { x: 'true' }, 'parameter-type', 'x'],
    ['Orders.filter(p=>p.orderDate>x)', { x: 'yesterday' }, 'parameter-type', 'x'],
    ['Orders.filter(p=>p.orderDate>x)', { x: '2023-02-30' }, 'parameter-type', 'x'],
    ['Orders.filter(p=>p.orderDate>x)', { x: 1 }, 'parameter-type', 'x'],
    ['Orders.filter(p=>p.orderDate>x)', { x: '+300000-01-01' }, 'value-out-of-range', 'x'],
    ['Products.page(n,10)', { n: 0 }, 'parameter-type', 'n'],
    ['Products.take(n)', { n: -1 }, 'parameter-type', 'n'],
    ['Products.include(p=>p.orderDetails.take(n))', { n: -1 }, 'parameter-type', 'n'],
    ['Products.filter(p=>p.name==x)', { x: 'a\u0000b' }, 'parameter-type', 'x'],
  ])('refuses %s with %j', async (query, data, code, name) => {
    for (const sent of [data, JSON.stringify(data)]) {
      const answer = await execute(query, sent);
      expect(answer.json()).toMatchObject({ status: 400, code });
      expect(answer.json()).toHaveProperty('detail', expect.stringContaining(`'${name}'`));
    }
  });

  test.each([
    ['Products.map(p=>({r:p.id+9223372036854775807}))', 400, 'value-out-of-range', '22003'],
    ['Products.filter(p=>(p.id&9223372036854775808)==0)', 400, 'value-out-of-range', undefined],
    ['Customers.include(p=>p.orders.include(o=>o.details))', 422, 'rows-over-limit', undefined],
  ])('answers %s with %i', async (query, status, code, sqlstate) => {
    const answer = await execute(query);
    expect(answer.json()).toMatchObject({ status, code });
    if (sqlstate !== undefined) expect(answer.json()).toMatchObject({ sqlstate });
    expect(answer.text).not.toMatch(/select|unitprice|numeric|postgres/i);
  });

  test.each([
    'Orders.details.map(p=>({id: p.orderId, long: rpad("x", 400, "y")}))',
    'Orders.map(p=>({id: p.id, long: rpad("x", 1500, "y")})).include(p=>p.details)',
  ])(
    'cuts the answer to %s, which grows over the limit of rows after it has begun',
    async (query) => {
      const cuts = () => program.log.filter(({ isCut }) => isCut);
      const before = cuts().length;
      await expect(execute(query)).rejects.toThrow();
      const cut = await until('the cut is logged', () => cuts()[before]);
      expect(cut).toMatchObject({ code: 'rows-over-limit' });
    },
  );

  test.each([
    ['GET', '/nope', 404, 'not-found'],
    ['GET', '/entities/Nope', 404, 'entity-not-found'],
    ['GET', '/enums/Nope', 404, 'enum-not-found'],
    ['GET', '/sources/Nope', 404, 'source-not-found'],
    ['GET', '/mappings/Nope', 404, 'mapping-not-found'],
    ['GET', '/mappings/default/Nope', 404, 'entity-not-found'],
    ['GET', '/stages/Nope', 404, 'stage-not-found'],
    ['POST', '/stages/Nope/import', 404, 'stage-not-found'],
    ['GET', '/entities/%zz', 400, 'path-malformed'],
    ['GET', '/execute', 405, 'method-not-allowed'],
    ['DELETE', '/ping', 405, 'method-not-allowed'],
    ['PUT', '/execute', 405, 'method-not-allowed'],
  ])('answers %s %s with %i', async (method, path, status, code) => {
    const answer = await ask(program, path, { method });
    expect(answer.json()).toMatchObject({ status, code });
    const allow = path === '/ping' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    expect(answer.headers.get('allow')).toBe(status === 405 ? allow : null);
  });

  test.each([
    [{ stage: 'nope' }, 'unknown-stage'],
    [{ view: 'nope' }, 'unknown-view'],
  ])('answers 404 to the options %j', async (options, code) => {
    const answer = await post(program, '/execute', { query: 'Shippers', options });
    expect(answer.json()).toMatchObject({ status: 404, code });
  });

  test('refuses another content type with 415, and a larger body with 413', async () => {
    const query = JSON.stringify({ query: 'Shippers' });
    const plain = await post(program, '/execute', query, { 'content-type': 'text/plain' });
    expect(plain.json()).toMatchObject({
      ...{ status: 415, code: 'unsupported-media-type' },
      detail:
        'The body must be JSON in UTF-8. Send the header Content-Type: application/json, not text/plain.',
    });
    const zipped = await post(program, '/execute', query, { 'content-encoding': 'gzip' });
    expect(zipped.json()).toMatchObject({
      ...{ status: 415, code: 'unsupported-media-type' },
      detail: 'The body must not be compressed: do not send the header Content-Encoding: gzip.',
    });
    const large = await post(program, '/execute', { query: 'Shippers', data: 'x'.repeat(100_000) });
    expect(large.json()).toMatchObject({ status: 413, code: 'body-too-large' });
  });

  test('refuses large headers with 431', async () => {
    const client = await connectRaw(program.port);
    client.send(`GET /ping HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(17_000)}\r\n\r\n`);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 431 .*"code":"headers-too-large"/s);
  });

  test('quotes only a part of a long string in the request', async () => {
    const name = `${'x'.repeat(20_000)}😀`;
    const answers = [
      await execute(`Orders.filter(p=>p.${name}==1)`),
      await execute('Orders.filter(p=>p.id==x)', { x: name }),
      await ask(program, `/entities/${encodeURIComponent(name.slice(-10_000))}`),
    ];
    for (const answer of answers) {
      expect([400, 404]).toContain(answer.status);
      expect(answer.text.length).toBeLessThan(1500);
    }
    const rows = [{ entity: 'Shippers', rows: [{ [name]: 1 }] }];
    for (const [query, status] of [
      ['?strict=true', 400],
      ['', 422],
    ] as const) {
      const answer = await post(program, `/stages/default/import${query}`, { entities: rows });
      expect(answer.status).toBe(status);
      expect(answer.text.length).toBeLessThan(3000);
    }
  });

  test.each([
    ['Products.map(p=>({r:lpad(p.name,32768)}))', {}, 'wrong-arguments'],
    ['Products.map(p=>({r:rpad(p.name,4000000000,"x")}))', {}, 'wrong-arguments'],
    ['Products.map(p=>({r:lpad(p.name,n)}))', { n: 32_768 }, 'value-out-of-range'],
    ['Products.map(p=>({r:rpad(p.name,n,"x")}))', { n: 4_000_000_000 }, 'value-out-of-range'],
  ])('limits the length of %s to %j', async (query, data, code) => {
    expect((await execute(query, data)).json()).toMatchObject({ status: 400, code });
  });

  test('stops a statement at its time limit, and answers 504', () =>
    withLock('Shippers', async () => {
      const answer = await execute('Shippers');
      expect(answer.json()).toMatchObject({ status: 504, code: 'statement-timeout' });
    }));

  test('keeps working when the database closes its connections', async () => {
    await runSql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'",
    );
    await until('rows come again', async () => {
      const answer = await execute('Shippers.count()');
      expect([200, 503]).toContain(answer.status);
      return answer.status === 200;
    });
  });

  test('answers 500 for a missing table without any details', async () => {
    await runSql('ALTER TABLE Shippers RENAME TO hidden');
    try {
      const answer = await execute('Shippers.map(p=>p.phone)');
      expect(answer.json()).toMatchObject({ status: 500, code: 'schema-mismatch' });
      expect(answer.text).not.toMatch(/relation|hidden|shippers|select/i);
    } finally {
      await runSql('ALTER TABLE hidden RENAME TO Shippers');
    }
    const logged = await until('the fault is logged', () =>
      program.log.find(({ code }) => code === 'schema-mismatch'),
    );
    expect(logged).toMatchObject({
      event: 'request',
      level: 40,
      requestId: expect.any(String),
      cause: expect.stringContaining('does not exist'),
    });
  });

  test.each(hostile)('treats %j as data, in a literal and in the data', async (text) => {
    const literal = JSON.stringify(text);
    const expected = [{ r: text }];
    expect(await rowsOf(program, `Shippers.filter(p=>p.id==1).map(p=>({r:${literal}}))`)).toEqual(
      expected,
    );
    expect(await rowsOf(program, `Shippers.filter(p=>p.name==${literal})`)).toEqual([]);
    expect(await rowsOf(program, 'Shippers.filter(p=>p.name==x)', { x: text })).toEqual([]);
    const given = { x: text };
    expect(await rowsOf(program, 'Shippers.filter(p=>p.id==1).map(p=>({r:""+x}))', given)).toEqual(
      expected,
    );
    const plan = await post(program, '/plan', { query: `Shippers.filter(p=>p.name==${literal})` });
    const other = await post(program, '/plan', { query: 'Shippers.filter(p=>p.name=="a")' });
    expect(plan.text).toBe(other.text);
  });

  async function runSql(text: string): Promise<void> {
    await withClient(server.connection, (client) => client.query(text));
  }

  /** Runs `work` while the table is locked against all other readers. */
  async function withLock(table: string, work: () => Promise<void>): Promise<void> {
    await withClient(server.connection, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work();
      await client.query('ROLLBACK');
    });
  }
});

/** The fault that a test provokes. */
const expectedFaults = [['request', 'schema-mismatch']];

const hostile = [
  "O'Brien",
  "' OR '1'='1",
  "'; DROP TABLE Shippers; --",
  '\\',
  "\\' OR 1=1 -- ",
  '"',
  '""',
  '$1',
  '$1; $2',
  '?',
  ':name',
  '--',
  '/* */',
  ';',
  '`',
  '%_',
  '{}',
  'null',
  'line\u2028separator\u2029',
  'tab\tnew\nline\r',
  '😀 é ünïçödé €',
  '\u0001\u001f\u007f',
  '</script>',
];

function nestedIncludes(depth: number): string {
  return `Employees${'.include(p=>p.reportsTo'.repeat(depth)}${')'.repeat(depth)}`;
}
