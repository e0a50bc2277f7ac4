/**
 * Every endpoint of the interface document, with the exact shape of its answer and the order of its
 * members.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type Answer, ask, type Program, post, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { sampleDocument, sampleRows } from '../support/sample.js';
import { details, metadata, parent, shippers } from './expected-answers.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    const schema = server.write(`${httpServer}.json`, JSON.stringify(schemaOfTests(server)));
    program = await server.start(['--http-server', httpServer, '--schema', schema]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const get = (path: string) => ask(program, path);
  const json = (answer: Answer) => {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    return answer.json();
  };

  test('logs which HTTP server it uses', () => {
    expect(program.log.find(({ event }) => event === 'listening')).toMatchObject({
      server: httpServer,
      port: program.port,
    });
  });

  test('answers ping, health, version, livez and readyz', async () => {
    expect((await get('/ping')).text).toMatch(
      /^\{"message":"pong","time":"[-\d]+T[:\d]+\.\d{3}Z"\}$/,
    );
    expect((await get('/health')).text).toMatch(
      /^\{"uptime":[\d.]+,"message":"OK","time":"[-:.\dTZ]+"\}$/,
    );
    expect((await get('/version')).text).toMatch(/^\{"version":"\d+\.\d+\.\d+"\}$/);
    expect((await get('/livez')).text).toBe('{"status":"live"}');
    const ready = async () => (await get('/readyz')).text === '{"status":"ready"}';
    await until('it is ready', ready);
  });

  test.each([
    ['/schema/version', { version: '1.0.0' }],
    ['/sources', [{ name: 'default', dialect: 'PostgreSQL' }]],
    ['/sources/default', [{ name: 'default', dialect: 'PostgreSQL' }]],
    ['/views', ['default', 'narrow']],
    ['/enums', [{ name: 'Size', values: [{ name: 'small', value: 1 }] }]],
    ['/enums/Size', { name: 'Size', values: [{ name: 'small', value: 1 }] }],
    [
      '/stages',
      [
        { name: 'default', sources: [{ name: 'default' }] },
        { name: 'second', sources: [{ name: 'default' }] },
      ],
    ],
    ['/stages/second', { name: 'second', sources: [{ name: 'default' }] }],
    ['/stages/default/exists', { exists: true }],
    ['/entities/Orders.details', details],
    ['/mappings/default/Shippers', shippers],
  ])('answers GET %s exactly', async (path, expected) => {
    expect(JSON.stringify(json(await get(path)))).toBe(JSON.stringify(expected));
  });

  test('describes the domain in the same way everywhere', async () => {
    const entities = json(await get('/entities'));
    const enums = json(await get('/enums'));
    const domain = { version: '1.0.0', entities, enums };
    expect((await get('/domain')).text).toBe(JSON.stringify(domain));
    expect((await get('/schema')).text).toBe(JSON.stringify({ version: '1.0.0', domain }));
    expect(entities).toHaveLength(8);
    const mapping = json(await get('/mappings/default'));
    expect((await get('/mappings')).text).toBe(JSON.stringify([mapping]));
    expect(mapping).toMatchObject({ name: 'default', entities: { length: 8 } });
  });

  test('lists the members of properties in the order of the document', async () => {
    const { text } = await get('/entities/Products');
    expect(text).toContain('{"name":"id","type":"integer","required":false,"autoIncrement":true}');
    expect(text).toContain('{"name":"name","type":"string","required":true,"length":80}');
    expect(text).toContain('{"name":"price","type":"decimal","required":false,"default":0}');
    expect(text).toContain(
      '{"name":"discontinued","type":"boolean","required":false,"default":false}',
    );
    expect(text).toContain('"hadDefaults":true');
  });

  test('gives relations and dependents their inverse', async () => {
    const { text } = await get('/entities/Orders');
    expect(text).toContain(
      '{"name":"details","type":"manyToOne","from":"id","to":"orderId","entity":"Orders.details","target":"order","weak":true,"composite":true}',
    );
    expect(text).toContain(
      '"dependents":[{"entity":"Orders.details","relation":{"name":"order","type":"oneToMany","from":"orderId","to":"id","entity":"Orders","target":"details","weak":false}}]',
    );
  });

  test('shows no connection', async () => {
    for (const path of ['/schema', '/sources', '/mappings', '/stages', '/domain']) {
      expect((await get(path)).text).not.toContain('postgresql://');
    }
  });

  const query = 'Orders.filter(p=>p.customerId==customerId).include(p=>p.details)';

  test('answers metadata exactly', async () => {
    const answer = await post(program, '/metadata', { query });
    expect(answer.text).toBe(JSON.stringify(metadata));
  });

  test('answers the model: a to-many relation as a list, a to-one relation without brackets', async () => {
    const many = await post(program, '/model', { query });
    const children = metadata.children[0].columns;
    const fields = metadata.columns.filter(({ name }) => name !== '__id');
    expect(many.text).toBe(
      JSON.stringify([...fields, { name: 'details', type: 'Orders.details[]', children }]),
    );
    const one = await post(program, '/model', {
      query: 'Orders.map(p=>p.id).include(p=>p.customer.map(c=>c.name))',
    });
    expect(one.text).toBe(
      '[{"name":"id","type":"integer"},{"name":"customer","type":"Customers","children":[{"name":"name","type":"string"},{"name":"ServiceParentId","type":"string"}]}]',
    );
  });

  const nested =
    'Orders.filter(p=>p.id==id).include(p=>[p.details.include(q=>q.product.include(r=>r.category)),p.customer])';

  test('answers parameters exactly', async () => {
    expect((await post(program, '/parameters', { query: nested })).json()).toEqual([
      { name: 'id', type: 'integer' },
      {
        name: 'details',
        type: 'Orders.details',
        children: [
          parent,
          {
            name: 'product',
            type: 'Products',
            children: [parent, { name: 'category', type: 'Categories', children: [parent] }],
          },
        ],
      },
      { name: 'customer', type: 'Customers', children: [parent] },
    ]);
  });

  test('answers constraints exactly', async () => {
    expect((await post(program, '/constraints', { query: nested })).text).toBe(
      '{"entity":"Orders","constraints":[],"children":[{"entity":"Orders.details","constraints":[],"children":[{"entity":"Products","constraints":[],"children":[{"entity":"Categories","constraints":[]}]}]},{"entity":"Customers","constraints":[]}]}',
    );
  });

  test('answers the plan: a statement for each entity, with the placeholders of the dialect', async () => {
    expect((await post(program, '/plan', { query })).json()).toEqual({
      entity: 'Orders',
      dialect: 'PostgreSQL',
      source: 'default',
      sentence: expect.stringMatching(
        /^SELECT o\.OrderID AS "id", .* AS "__id" FROM Orders o WHERE o\.CustomerID = \$1$/,
      ),
      children: [
        {
          entity: 'Orders.details',
          dialect: 'PostgreSQL',
          source: 'default',
          sentence: expect.stringMatching(
            / AS "ServiceParentId" FROM "Order Details" o1 WHERE o1\.OrderID IN \(/,
          ),
        },
      ],
    });
  });

  test.each([...paths])('indents %s by two spaces without other changes', async (path) => {
    const compact = await get(path);
    const beautiful = await get(`${path}?format=beautiful`);
    expect(beautiful.text).toBe(JSON.stringify(json(compact), null, 2));
    expect((await get(`${path}?format=other&x=1`)).text).toBe(compact.text);
  });

  test.each(['metadata', 'model', 'parameters', 'constraints', 'plan', 'execute'])(
    'indents %s by two spaces, and changes nothing else',
    async (endpoint) => {
      const body = { query: nested, data: '{"id":7}' };
      const compact = await post(program, `/${endpoint}`, body);
      const beautiful = await post(program, `/${endpoint}?format=beautiful`, body);
      expect(beautiful.text).toBe(JSON.stringify(json(compact), null, 2));
      expect(JSON.stringify(compact.json())).toBe(compact.text);
    },
  );

  test('indents empty lists and absent relations as JSON.stringify does', async () => {
    for (const text of [
      'Orders.filter(p=>p.id==0)',
      'Employees.include(p=>[p.reportsTo,p.orders.filter(o=>o.id<0)])',
    ]) {
      const answer = await post(program, '/execute?format=beautiful', { query: text });
      expect(answer.text).toBe(JSON.stringify(answer.json(), null, 2));
    }
  });

  test('executes with the data as a string, as an object, and without data', async () => {
    const byId = 'Shippers.filter(p=>p.id==id)';
    const expected = JSON.stringify([sampleRows('Shippers')[1]]);
    const asText = await post(program, '/execute', { query: byId, data: '{"id":2}' });
    expect(asText.text).toBe(expected);
    expect((await post(program, '/execute', { query: byId, data: { id: 2 } })).text).toBe(expected);
    const whole = await post(program, '/execute', { query: 'Shippers.sort(p=>p.id)' });
    expect(whole.text).toBe(JSON.stringify(sampleRows('Shippers')));
  });

  test('accepts stage and view in an object or in its JSON text', async () => {
    for (const options of [{ stage: 'second' }, '{"stage":"second","view":"default"}', {}, '']) {
      const answer = await post(program, '/execute', { query: 'Shippers.count()', options });
      expect(answer.text).toBe('[{"count":4}]');
    }
  });

  test('shows nothing that the view excludes', async () => {
    const options = { view: 'narrow' };
    const rows = await post(program, '/execute', { query: 'Customers.first()', options });
    const [customer] = [...sampleRows('Customers')].sort(byId);
    const { phone: _phone, ...visible } = customer ?? {};
    expect(rows.text).toBe(JSON.stringify([visible]));
    for (const hidden of ['Customers.map(p=>p.phone)', 'Shippers', 'Customers.sort(p=>p.phone)']) {
      const answer = await post(program, '/execute', { query: hidden, options });
      expect([hidden, answer.status]).toEqual([hidden, 400]);
      expect(answer.json()).toMatchObject({ code: expect.stringMatching(/^unknown-/) });
    }
  });

  test('accepts a request id, and returns it', async () => {
    const headers = { 'x-request-id': 'mine-7' };
    const answer = await post(program, '/execute', { query: 'Nope' }, headers);
    expect(answer.headers.get('x-request-id')).toBe('mine-7');
    expect(answer.json()).toMatchObject({ requestId: 'mine-7' });
  });

  test('answers many concurrent requests, each with its own rows', async () => {
    const orders = sampleRows('Orders').slice(0, 300);
    const query = 'Orders.filter(p=>p.id==id)';
    const ask = ({ id }: (typeof orders)[number]) =>
      post(program, '/execute', { query, data: { id } });
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    // More at once may be refused on a busy machine.
    for (let at = 0; at < orders.length; at += 50) {
      answers.push(...(await Promise.all(orders.slice(at, at + 50).map(ask))));
    }
    for (const [index, answer] of answers.entries()) {
      expect(answer.json()).toMatchObject([
        { id: orders[index]?.['id'], name: orders[index]?.['name'] },
      ]);
    }
  });
});

const paths = [
  '/schema/version',
  '/schema',
  '/domain',
  '/entities',
  '/entities/Orders',
  '/enums',
  '/enums/Size',
  '/sources',
  '/sources/default',
  '/mappings',
  '/mappings/default',
  '/mappings/default/Orders',
  '/views',
  '/stages',
  '/stages/default',
] as const;

/** The sample with an enum, a second stage, and a view that hides an entity and a property. */
function schemaOfTests({ connection }: SampleServer): unknown {
  const document = JSON.parse(JSON.stringify(sampleDocument(connection)));
  document.domain.enums = [{ name: 'Size', values: [{ name: 'small', value: 1 }] }];
  document.infrastructure.stages.push({ name: 'second', sources: [{ name: 'default' }] });
  const entities = [
    { name: 'Shippers', exclude: true },
    { name: 'Customers', properties: [{ name: 'phone', exclude: true }] },
  ];
  document.infrastructure.views.push({ name: 'narrow', entities });
  return document;
}

function byId(left: { id?: unknown }, right: { id?: unknown }): number {
  return String(left.id) < String(right.id) ? -1 : 1;
}
