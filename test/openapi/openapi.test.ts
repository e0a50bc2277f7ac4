/**
 * The OpenAPI document is valid and complete, matches the answers, and shows only what its reader
 * may see.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { operations } from '../../src/gateway/openapi/operations.js';
import { routes } from '../../src/gateway/routes.js';
import { ask, post, type Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { wholeDocument } from '../views/narrow-schema.js';

type Members = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: object;
          readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
        }
      >
    >;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly schema: object }>>;
        readonly headers?: object;
      }
    >
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Members>>;
    readonly securitySchemes?: object;
  };
}

let server: SampleServer;
let program: Program;
beforeAll(async () => {
  server = await startSampleServer();
  program = await server.start();
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

async function documentOf(
  of: Program,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<Document> {
  const { status, text } = await ask(of, `/openapi.json${query}`, { headers });
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

test('the document is valid, according to an independent validator', async () => {
  const document = await documentOf(program);
  expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
});

test('contains each route, and nothing else', async () => {
  const ids = routes.map(([, , , , id]) => id);
  expect(Object.keys(operations).sort()).toEqual(ids.sort());
  const table = routes.map(([method, path]) => `${method} ${path}`);
  const described = operationsOf(await documentOf(program)).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect(described.sort()).toEqual(table.toSorted());
});

test('has a tag like other descriptions, and can be indented', async () => {
  const first = await ask(program, '/openapi.json');
  const tag = first.headers.get('etag') ?? '';
  const again = await ask(program, '/openapi.json', { headers: { 'if-none-match': tag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const indented = await ask(program, '/openapi.json?format=beautiful');
  expect(indented.text).toBe(JSON.stringify(first.json(), null, 2));
});

test('has the parameters and headers of requests, and those headers of answers that are data', async () => {
  const document = await documentOf(program);
  const namesOf = (of: Document, id: string, place: string) => {
    const found = operationsOf(of).find(({ operation }) => operation.operationId === id);
    const all = found?.operation.parameters ?? [];
    return all.filter((each) => each.in === place).map(({ name }) => name);
  };
  for (const { operation } of operationsOf(document)) {
    const isJson = operation.responses['200']?.content?.['application/json'] !== undefined;
    const names = namesOf(document, operation.operationId, 'query');
    const both = names.filter((name) => name === 'format' || name === 'timing');
    expect(both).toEqual(isJson ? ['format', 'timing'] : []);
    const takesKey = ['execute', 'transaction'].includes(operation.operationId);
    const keys = takesKey ? ['Idempotency-Key'] : [];
    expect(namesOf(document, operation.operationId, 'header')).toEqual(keys);
  }
  expect(namesOf(document, 'openapi', 'query')).toContain('view');
  const { headers } = document.paths['/execute']?.['post']?.responses['200'] ?? {};
  expect(Object.keys(headers ?? {})).toEqual(['X-Total-Count', 'Link', 'Rowgate-Warning']);
  const untimed = await server.start(['--server-timing', 'off']);
  expect(namesOf(await documentOf(untimed), 'execute', 'query')).toEqual(['format']);
  await untimed.stop();
});

describe('each example', () => {
  test('is answered as the document says', async () => {
    const document = await documentOf(program);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', ...document });
    const checked: string[] = [];
    for (const { path, method, operation } of operationsOf(document)) {
      const target = pathOf(path, operation);
      if (target === undefined || method === 'delete') continue;
      for (const body of bodiesOf(operation)) {
        const { status, text } =
          method === 'post' ? await post(program, target, body) : await ask(program, target);
        const schema = operation.responses['200']?.content?.['application/json']?.schema;
        // The other pages are for browsers, or exist only after a build.
        if (schema === undefined && !path.startsWith('/docs')) continue;
        expect([target, status, text]).toEqual([target, 200, expect.any(String)]);
        if (schema === undefined) continue;
        const fits = ajv.compile(withIds(schema));
        fits(JSON.parse(text));
        expect([target, body, fits.errors]).toEqual([target, body, null]);
        checked.push(operation.operationId);
      }
    }
    expect(new Set(checked).size).toBeGreaterThan(28);
    expect(checked.filter((id) => id === 'execute')).toHaveLength(4);
    expect(checked).toEqual(expect.arrayContaining(['transaction', 'import', 'plan', 'entity']));
  });

  test('of a problem fits its schema', async () => {
    const document = await documentOf(program);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', ...document });
    const fits = ajv.compile({ $ref: 'api#/components/schemas/Problem' });
    fits((await post(program, '/execute', { query: 'Shipers' })).json());
    expect(fits.errors).toBeNull();
    fits({ code: 'x' });
    expect(fits.errors).not.toBeNull();
  });
});

test('requests that are refused do not fit the schema of the body', async () => {
  const document = await documentOf(program);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  const fits = ajv.compile({ $ref: 'api#/components/schemas/Query' });
  const query = 'Shippers.filter(p=>p.id==id)';
  for (const body of [
    { query, data: { id: 1 } },
    { query, data: '{"id": 1}', options: { view: 'default', count: true } },
    { query, data: { id: 1 }, options: '{"stage": "default"}' },
    { query: 'Shippers', data: null, options: null },
    {
      query: 'Shippers',
      options: { stage: null, view: null, count: null, headers: null, chunkSize: null },
    },
    {},
    { query: 5 },
    { query: '' },
    { query, data: 5 },
    { query, data: { id: 1 }, options: { vieww: 'x' } },
    { query, data: { id: 1 }, options: 5 },
    { query, data: { id: 1 }, options: { count: 1 } },
  ]) {
    const { status } = await post(program, '/execute', body);
    expect([body, fits(body)]).toEqual([body, status === 200]);
  }
});

test('an explanation has an option that other requests do not have', async () => {
  const document = await documentOf(program);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  for (const [path, options, expected] of [
    ['/explain', { analyze: true }, 200],
    ['/explain', { stage: 'default' }, 200],
    ['/explain', { analyze: null }, 200],
    ['/explain', { analyse: true }, 400],
    ['/explain', { analyze: 1 }, 400],
    ['/execute', { analyze: true }, 400],
  ] as const) {
    const body = { query: 'Shippers', options };
    const { status } = await post(program, path, body);
    const { requestBody } = document.paths[path]?.['post'] ?? {};
    const fits = ajv.compile(withIds(requestBody?.content['application/json']?.schema ?? {}));
    expect([path, options, status, fits(body)]).toEqual([path, options, expected, status === 200]);
  }
});

test('does not contain the console if it is off', async () => {
  const without = await server.start(['--console', 'off']);
  expect((await ask(without, '/console')).status).toBe(404);
  const paths = Object.keys((await documentOf(without)).paths);
  expect(paths.filter((path) => path.startsWith('/console'))).toEqual([]);
  expect(await without.stop()).toBe(0);
});

test('says that an object without described members may have any, which generators need to know', async () => {
  const { components } = await documentOf(program);
  const closed: unknown[] = [];
  JSON.stringify(components.schemas, (name, value) => {
    if (value?.type === 'object' && !value.properties && !value.additionalProperties)
      closed.push([name, value]);
    return value;
  });
  expect(closed).toEqual([]);
  const anything = { type: 'object', additionalProperties: true };
  expect(components.schemas['Query']).toMatchObject({
    properties: { data: { oneOf: [anything, {}, {}, {}] } },
  });
});

test('entities are components, with types, lengths, what may be null, and relations', async () => {
  const { schemas } = (await documentOf(program)).components;
  const { Orders, Shippers } = schemas;
  expect(Shippers).toEqual({
    type: 'object',
    title: 'Shippers',
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string', maxLength: 80 },
      phone: { type: ['string', 'null'], maxLength: 20 },
    },
    required: ['id', 'name', 'phone'],
  });
  expect(Orders?.['properties']).toMatchObject({
    orderDate: { type: ['string', 'null'], format: expect.stringMatching(/^date/) },
    freight: { type: ['number', 'null'] },
    details: { type: 'array', items: { $ref: '#/components/schemas/Orders.details' } },
    customer: { oneOf: [{ $ref: '#/components/schemas/Customers' }, { type: 'null' }] },
  });
});

test('rows fit the schemas of their entities', async () => {
  const document = await documentOf(program);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', ...document });
  for (const entity of ['Orders', 'Customers', 'Products', 'Employees', 'Orders.details']) {
    const fits = ajv.compile({
      type: 'array',
      items: { $ref: `api#/components/schemas/${entity}` },
    });
    const include = entity === 'Orders' ? '.include(p=>[p.customer, p.details])' : '';
    const rows = (
      await post(program, '/execute', { query: `${entity}.take(50)${include}` })
    ).json();
    fits(rows);
    expect([entity, Object(rows).length > 0, fits.errors]).toEqual([entity, true, null]);
  }
});

test('a sender finds what it may use and see, and nothing else', async () => {
  const grants = {
    all: { allow: ['schema', 'metrics', 'stats', 'import', 'export', 'explain'] },
    plain: {},
    narrow: { view: 'narrow', allow: ['schema', 'explain'] },
    orders: { entities: { Orders: ['select'], Shippers: ['insert'] }, allow: ['schema', 'import'] },
    reader: { readOnly: true, allow: ['schema', 'import'] },
  };
  const keys = new Map(Object.keys(grants).map((name) => [name, makeKey()]));
  const entries = Object.entries(grants).map(([name, each]) => {
    return { name, hash: digestOf(keys.get(name) ?? ''), ...each };
  });
  const file = server.write('keys.json', JSON.stringify({ keys: entries }));
  const schema = server.write('schema.json', JSON.stringify(withEnums()));
  const guarded = await server.start(['--keys-file', file, '--schema', schema]);
  const seenBy = async (name: string) => {
    const document = await documentOf(guarded, { authorization: `Bearer ${keys.get(name)}` });
    expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
    return {
      paths: Object.keys(document.paths),
      schemas: document.components.schemas,
      text: JSON.stringify(document),
    };
  };
  expect((await ask(guarded, '/openapi.json')).status).toBe(401);
  const all = await seenBy('all');
  expect(all.paths).toEqual(
    expect.arrayContaining(['/metrics', '/entities', '/stages/{name}/import']),
  );
  expect(all.schemas).toHaveProperty('Customers');
  for (const name of ['Grade', 'Port', 'Unused']) {
    expect(all.schemas).toHaveProperty([`enum.${name}`]);
  }
  const plain = await seenBy('plain');
  expect(plain.paths).toContain('/execute');
  for (const path of ['/metrics', '/entities', '/plan', '/stages/{name}/import', '/stats']) {
    expect(plain.paths).not.toContain(path);
  }
  expect(plain.text).not.toMatch(/Customers|Orders|Shippers|enum\.|dearest/);
  const orders = await seenBy('orders');
  expect(orders.schemas).toHaveProperty('Orders');
  expect(orders.text).not.toMatch(/Customers|Shippers|Grade|dearest/);
  expect(orders.schemas).toHaveProperty(['enum.Port']);
  expect(orders.schemas).toHaveProperty(['enum.Unused']);
  expect((await seenBy('reader')).paths).not.toContain('/stages/{name}/import');
  const narrow = await seenBy('narrow');
  const shown = await ask(guarded, '/entities', {
    headers: { authorization: `Bearer ${keys.get('narrow')}` },
  });
  const names = Object(shown.json()).map(({ name }: { readonly name: string }) => name);
  expect(Object.keys(all.schemas).filter((name) => /^[A-Z]\w+s$/.test(name))).not.toEqual(names);
  for (const name of names) expect(narrow.schemas).toHaveProperty([name]);
  expect(narrow.schemas).not.toHaveProperty('Employees');
  expect(narrow.schemas).not.toHaveProperty(['enum.Rank']);
  expect(await guarded.stop()).toBe(0);
});

/** The sample domain with enums: of customers, of orders, of employees, and of no property. */
function withEnums(): object {
  const document = Object(wholeDocument('PostgreSQL', server.connection));
  const { domain } = document;
  const of: Readonly<Record<string, readonly [property: string, name: string]>> = {
    Customers: ['name', 'Grade'],
    Orders: ['city', 'Port'],
    Employees: ['title', 'Rank'],
  };
  const entities = domain.entities.map((entity: Readonly<Record<string, unknown>>) => {
    const [property, name] = of[String(entity['name'])] ?? [];
    const properties = [entity['properties']].flat().map((each) => {
      return Object(each).name === property && name !== undefined
        ? { ...Object(each), enum: name }
        : each;
    });
    return { ...entity, properties };
  });
  const enums = ['Grade', 'Port', 'Rank', 'Unused'].map((name) => {
    return { name, values: [{ name: 'first', value: name === 'Grade' ? 'dearest' : 'x' }] };
  });
  return { ...document, domain: { ...domain, entities, enums } };
}

/** The path with its examples; undefined if one is missing. */
function pathOf(path: string, { parameters = [] }: Operation): string | undefined {
  const own = parameters.filter((each) => each.in === 'path');
  if (own.some(({ example }) => example === undefined)) return undefined;
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(own.find((each) => each.name === name)?.example ?? ''),
  );
}

/** The bodies of the examples; without any, one that is not sent. */
function bodiesOf({ requestBody }: Operation): readonly unknown[] {
  if (!requestBody) return [undefined];
  return Object.values(requestBody.content['application/json']?.examples ?? {}).map(
    ({ value }) => value,
  );
}

/** The schema with references into the document. */
function withIds(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
}
