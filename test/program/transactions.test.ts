/** Transactions and idempotency keys over HTTP, on both servers. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { post, type Program, rowsOf, runCommand, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { withClient } from '../support/embedded.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

const sql = (text: string) =>
  withClient(server.connection, async (client) => (await client.query(text)).rows);

describeServers('on %s', (name) => {
  let program: Program;
  let names = 0;
  const unique = () => `${name} ${(names += 1)}`;

  beforeAll(async () => {
    program = await server.start(['--http-server', name, '--transaction-steps-max', '5']);
  });
  afterAll(() => program.stop());

  const categories = (category: string) =>
    rowsOf(program, 'Categories.filter(p=>p.name==name)', { name: category });

  test('a list of steps is one transaction, with references between them', async () => {
    const category = unique();
    const steps = [
      { query: 'Categories.insert()', data: { name: category } },
      {
        query: 'Products.insert()',
        data: `{"name": "${category}", "supplierId": 1, "categoryId": {"$ref": "0.id"}}`,
      },
      {
        query: 'Products.filter(p=>p.id==id).include(p=>p.category)',
        data: { id: { $ref: '1.id' } },
      },
    ];
    const answer = await post(program, '/transaction', steps);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.json()).toMatchObject([
      { name: category },
      { name: category },
      [{ name: category, category: { name: category } }],
    ]);
    const indented = await post(
      program,
      '/transaction?format=beautiful',
      [steps[2], steps[2]].map(() => ({ query: 'Shippers' })),
    );
    expect(indented.text).toBe(JSON.stringify(indented.json(), null, 2));
  });

  test('an object can say how the steps run', async () => {
    const body = {
      steps: [{ query: 'Shippers.sort(p=>p.id).first()' }],
      options: { isolation: 'serializable', readOnly: true, stage: 'default', view: 'default' },
    };
    expect((await post(program, '/transaction', body)).json()).toMatchObject([[{ id: 1 }]]);
    const writing = { ...body, steps: [...body.steps, { query: 'Shippers.deleteAll()' }] };
    const refused = await post(program, '/transaction', writing);
    expect(refused.json()).toMatchObject({ status: 400, code: 'write-in-read-only', step: 1 });
  });

  test('an error is reported with its step, and all steps are rolled back', async () => {
    const category = unique();
    const insert = { query: 'Categories.insert()', data: { name: category } };
    const answer = await post(program, '/transaction', [insert, insert]);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'unique-violation',
      place: 'data.name',
      step: 1,
    });
    expect(await categories(category)).toEqual([]);
  });

  test('digits in the data are preserved', async () => {
    const customer = unique();
    const steps = `[{"query": "Products.insert()", "data": {"name": "${customer}", "supplierId": 1,
      "price": 12345678901234567890.12345}},
      {"query": "Products.update({price: price}).filter(p=>p.id==id)",
       "data": {"id": {"$ref": "0.id"}, "price": {"$ref": "0.price"}}},
      {"query": "Products.filter(p=>p.id==id).map(p=>[p.price])", "data": {"id": {"$ref": "0.id"}}}]`;
    const { text } = await post(program, '/transaction', steps);
    expect(text).toContain('[{"price":12345678901234567890.12345}]');
  });

  test.each([
    { body: 7, code: 'body-not-object' },
    {
      body: { queries: [{ query: 'Shippers' }] },
      code: 'steps-invalid',
      hint: 'Send {"steps": [{"query": "…", "data": {…}}, …]}, or the list alone.',
    },
    { body: { steps: {} }, code: 'steps-invalid' },
    { body: [], code: 'steps-invalid' },
    { body: Array(6).fill({ query: 'Shippers' }), code: 'steps-invalid' },
    { body: ['Shippers'], code: 'steps-invalid', step: 0 },
    { body: [{ query: 'Shippers' }, {}], code: 'query-missing', step: 1 },
    { body: [{ query: 'Shippers' }, { query: 'Shipers' }], code: 'unknown-entity', step: 1 },
    { body: [{ query: 'Shippers', data: 5 }], code: 'data-malformed', step: 0 },
    { body: [{ query: 'Shippers', data: '{' }], code: 'data-malformed', step: 0 },
    { body: [{ query: 'Shippers.filter(p=>p.id==x)' }], code: 'parameter-missing', step: 0 },
    {
      body: [{ query: 'Shippers' }, { query: 'Shippers', options: { stage: 'x' } }],
      code: 'options-invalid',
      step: 1,
    },
    {
      body: { steps: [{ query: 'Shippers' }], options: { isolation: 'x' } },
      code: 'options-invalid',
    },
    { body: { steps: [{ query: 'Shippers' }], options: { readOnly: 1 } }, code: 'options-invalid' },
    {
      body: { steps: [{ query: 'Shippers' }], options: { isolationn: 'serializable' } },
      code: 'options-invalid',
      hint: "Did you mean 'isolation'?",
    },
    {
      body: { steps: [{ query: 'Shippers' }], options: { stage: 'x' } },
      code: 'unknown-stage',
      step: 0,
    },
  ])('$body is answered with $code', async ({ body, ...problem }) => {
    const answer = await post(program, '/transaction', body);
    expect(answer.json()).toMatchObject(problem);
    if (!('step' in problem)) expect(answer.json()).not.toHaveProperty('step');
  });

  test('data that nest deeply are no error of the program', async () => {
    for (const levels of [400, 600, 4000, 4300, 4600, 20_000]) {
      const data = `{"id": 1, "x": ${'['.repeat(levels)}{"$ref": "0.id"}${']'.repeat(levels)}}`;
      const query = 'Categories.filter(p=>p.id==id).map(p=>p.id)';
      const steps = [
        { query, data: { id: 1 } },
        { query, data },
      ];
      const { status } = await post(program, '/transaction', steps);
      expect([200, 400]).toContain(status);
    }
  });

  test('a client that disconnects leaves nothing behind', async () => {
    const category = unique();
    const steps = [
      { query: 'Categories.insert()', data: { name: category } },
      { query: 'Shippers.update({phone: "0"}).filter(p=>p.id==1)' },
    ];
    await withClient(server.connection, async (client) => {
      await client.query('BEGIN; SELECT * FROM Shippers WHERE ShipperID = 1 FOR UPDATE');
      const headers = { 'content-type': 'application/json' };
      const options = { port: program.port, path: '/transaction', method: 'POST', headers };
      const sent = request({ ...options, host: '127.0.0.1' });
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(steps));
      await until('a step waits', async () => (await waiting()) === 1);
      sent.destroy();
      await until('nobody waits', async () => (await waiting()) === 0);
      await client.query('COMMIT');
    });
    expect(await categories(category)).toEqual([]);
    const open = await sql(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'rowgate' AND state LIKE 'idle in transaction%'`);
    expect(open).toEqual([]);
  });

  async function waiting(): Promise<number> {
    const rows = await sql(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rows.length;
  }

  describe('an Idempotency-Key', () => {
    const insert = (category: string) => ({
      query: 'Categories.insert()',
      data: { name: category },
    });

    test('lets a write run once, and gives the same answer each time', async () => {
      const category = unique();
      const key = { 'idempotency-key': category };
      const first = await post(program, '/execute', insert(category), key);
      expect(first.status).toBe(200);
      expect(first.json()).toMatchObject({ name: category });
      const again = await post(program, '/execute?format=beautiful', insert(category), key);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(await categories(category)).toHaveLength(1);
    });

    test('lets concurrent duplicates run once', async () => {
      const category = unique();
      const key = { 'idempotency-key': category };
      const sent = Array.from({ length: 10 }, () =>
        post(program, '/transaction', [insert(category)], key),
      );
      const texts = new Set(
        (await Promise.all(sent)).map(({ status, text }) => `${status} ${text}`),
      );
      expect([...texts]).toHaveLength(1);
      expect([...texts][0]).toMatch(/^200 \[/);
      expect(await categories(category)).toHaveLength(1);
    });

    test.each([
      ['another query', '/execute', { query: 'Categories.bulkInsert()', data: '[]' }],
      ['other data', '/execute', insert('other data')],
      ['another path', '/transaction', [insert('of another path')]],
    ])('is refused for %s', async (what, path, body) => {
      const key = { 'idempotency-key': `${name} ${what}` };
      const first = await post(program, '/execute', insert(unique()), key);
      expect(first.status).toBe(200);
      const answer = await post(program, path, body, key);
      expect(answer.json()).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
    });

    test('can be used again after a write that failed', async () => {
      const category = unique();
      const key = { 'idempotency-key': category };
      const failed = await post(program, '/execute', insert('x'.repeat(99)), key);
      expect(failed.status).toBe(422);
      expect((await post(program, '/execute', insert(category), key)).status).toBe(200);
    });

    test('that is empty, too long or not ASCII is refused, and nothing is written', async () => {
      const category = unique();
      for (const key of ['', 'k'.repeat(256), '\u00c3\u00a9', 'k\u00c3\u00a9k']) {
        const answer = await post(program, '/execute', insert(category), {
          'idempotency-key': key,
        });
        expect(answer.json()).toMatchObject({ status: 400, code: 'idempotency-key-invalid' });
      }
      expect(await categories(category)).toEqual([]);
      const longest = { 'idempotency-key': name.padStart(255, 'k') };
      expect((await post(program, '/execute', insert(category), longest)).status).toBe(200);
    });

    test('has no effect on a read', async () => {
      const key = { 'idempotency-key': 'k'.repeat(300) };
      const query = 'Shippers.sort(p=>p.id).map(p=>[p.id])';
      expect((await post(program, '/execute', { query }, key)).status).toBe(200);
      expect((await post(program, '/transaction', [{ query }], key)).status).toBe(200);
    });

    test('gives the stored answer only in its original format', async () => {
      const category = unique();
      const key = { 'idempotency-key': category };
      const lines = { ...key, accept: 'application/x-ndjson' };
      const first = await post(program, '/execute', insert(category), lines);
      expect(first.text).toMatch(/\}\n$/);
      expect((await post(program, '/execute', insert(category), lines)).text).toBe(first.text);
      expect((await post(program, '/execute', insert(category), key)).status).toBe(422);
    });
  });
});

test('drop removes the table of stored answers, which exports and the schema do not show', async () => {
  const connection = { DATABASE_URL: server.url };
  const program = await server.start();
  const key = { 'idempotency-key': 'kept' };
  const body = { query: 'Shippers.update({phone: "1"}).filter(p=>p.id==1)' };
  expect((await post(program, '/execute', body, key)).text).toBe('1');
  for (const path of ['/schema', '/mappings', '/stages/default/export']) {
    const response = await fetch(program.base + path);
    expect(await response.text()).not.toContain('idempotency');
  }
  await program.stop();
  const found = () => sql(`SELECT 1 FROM pg_class WHERE relname = 'rowgate_idempotency'`);
  expect(await found()).toHaveLength(1);
  const { stdout } = await runCommand(['drop', '--yes'], connection);
  expect(stdout).toContain('drop table rowgate_idempotency');
  expect(await found()).toHaveLength(0);
});
