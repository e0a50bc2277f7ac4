/** A list of queries in one request, for suites on both databases and both HTTP servers. */
import { describe, expect, test } from 'vitest';
import { post, type Program, rowsOf } from '../support/program.js';

/** A query of a list. */
export interface Asked {
  readonly query: string;
  readonly data?: unknown;
  readonly options?: unknown;
}

const POINT = 'Products.filter(p=>p.id==id)';
const NDJSON = { accept: 'application/x-ndjson' };
const BEAUTIFUL = '/execute?format=beautiful';

/** Valid queries of every kind, and invalid ones. */
const kinds: readonly Asked[] = [
  { query: POINT, data: { id: 1 } },
  { query: POINT, data: '{"id": 2}' },
  { query: POINT, data: { id: 3 }, options: { view: 'default', stage: 'default' } },
  { query: POINT, data: { id: -1 } },
  { query: POINT, data: { id: 'x' } },
  { query: POINT, data: { id: 12345678901234567890n.toString() } },
  { query: POINT },
  { query: POINT, data: 5 },
  { query: POINT, data: '{' },
  { query: POINT, data: null },
  { query: POINT, data: '' },
  { query: POINT, data: [] },
  { query: 'Orders.filter(p=>p.id==id).include(p=>[p.customer, p.details])', data: { id: 2 } },
  { query: 'Orders.sort(p=>p.id)' },
  { query: 'Orders.sort(p=>p.id).include(p=>p.details)' },
  { query: 'Products.map(p=>({s: sum(p.price), n: count(1)}))' },
  { query: 'Shippers.filter(p=>p.phone==null).sort(p=>p.id)' },
  { query: 'Shipers' },
  { query: 'Shippers.filter(' },
  { query: '' },
  { query: 'Shippers', options: { view: 'x' } },
  { query: 'Shippers', options: { stage: 'x' } },
  { query: 'Shippers', options: { vieww: 'default' } },
];

/** Declares the suite; `program` returns the program, which has the sample rows. */
export function listSuite(program: () => Program): void {
  const alone = (body: unknown, path = '/execute') => post(program(), path, body);
  const listed = (body: unknown, headers = {}) => post(program(), '/execute', body, headers);
  const answers = async (queries: readonly unknown[]) => {
    const { status, text, json } = await listed(queries);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json();
  };

  test('has the answers that the queries have alone, in their order', async () => {
    const id = { 'x-request-id': 'same' };
    const single = await Promise.all(
      kinds.map(async (body) => (await post(program(), '/execute', body, id)).text),
    );
    const { headers, status, text } = await listed(kinds, id);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(`[${single.join(',')}]`);
  });

  test('is indented with format=beautiful', async () => {
    const queries = kinds.filter((_, index) => [0, 3, 12, 13].includes(index));
    const { text } = await alone(queries, BEAUTIFUL);
    const single = await Promise.all(
      queries.map(async (body) => (await alone(body, BEAUTIFUL)).text.replaceAll('\n', '\n  ')),
    );
    expect(text).toBe(`[\n  ${single.join(',\n  ')}\n]`);
    const shorter = await alone(queries.slice(0, 2), BEAUTIFUL);
    expect(shorter.text).toBe(JSON.stringify(shorter.json(), null, 2));
  });

  test('is sent as a line for each query', async () => {
    const id = { 'x-request-id': 'same' };
    const lines = (await listed(kinds, { ...NDJSON, ...id })).text.split('\n');
    expect(lines.pop()).toBe('');
    const sorted = lines.toSorted((a, b) => indexOf(a) - indexOf(b));
    expect(sorted).toHaveLength(kinds.length);
    for (const [index, body] of kinds.entries()) {
      const { status, text } = await post(program(), '/execute', body, id);
      const name = status === 200 ? 'result' : 'problem';
      expect(sorted[index]).toBe(`{"index":${index},"status":${status},"${name}":${text}}`);
    }
  });

  test('may be empty', async () => {
    const { status, text } = await listed([]);
    expect([status, text]).toEqual([200, '[]']);
    expect((await alone([], BEAUTIFUL)).json()).toEqual([]);
    const lines = await listed([], NDJSON);
    expect([lines.status, lines.text]).toEqual([200, '']);
  });

  test('has at most 1,000 queries', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({
      query: POINT,
      data: { id: 1 + (index % 70) },
    }));
    const one = await Promise.all(many.slice(0, 70).map(async (each) => (await alone(each)).text));
    const { text } = await listed(many);
    const others = Object(JSON.parse(text)).filter((each: unknown) => !Array.isArray(each));
    expect(others).toEqual([]);
    expect(text).toBe(`[${many.map((_, index) => one[index % 70]).join(',')}]`);
    const refused = await listed([...many, many[0]]);
    expect(refused.json()).toMatchObject({ status: 400, code: 'too-many-queries' });
  });

  test.each([5, null, 'Shippers', [[]], true])(
    'has the problem of an element that is %j',
    async (element) => {
      const [first, problem, last] = Object(
        await answers([{ query: 'Shippers' }, element, { query: 'Shippers' }]),
      );
      expect(problem).toMatchObject({ status: 400, code: 'body-not-object' });
      expect([first, last]).toEqual([expect.any(Array), expect.any(Array)]);
    },
  );

  test('is refused as a whole if it is malformed, or if CSV is requested', async () => {
    const malformed = await listed('[{"query": "Shippers"}, {"query": }]');
    expect(malformed.json()).toMatchObject({ status: 400, code: 'body-not-json' });
    const csv = await listed([{ query: 'Shippers' }], { accept: 'text/csv' });
    expect(csv.json()).toMatchObject({ status: 406, code: 'not-acceptable' });
    const either = await listed([{ query: 'Shippers' }], { accept: 'text/csv, */*;q=0.1' });
    expect(either.json()).toEqual([expect.any(Array)]);
    for (const path of ['/model', '/plan', '/metadata', '/parameters', '/constraints']) {
      const { status, json } = await alone([{ query: 'Shippers' }], path);
      expect([status, json()]).toMatchObject([400, { code: 'body-not-object' }]);
    }
  });

  test('keeps all digits of the data', async () => {
    const body = `[{"query":"Products.filter(p=>p.id==1).map(p=>({x: n}))","data":{"n":12345678901234567890.12345}},
      {"query":"Products.filter(p=>p.id==1).map(p=>({x: n}))","data":{"n":1}}]`;
    expect((await listed(body)).text).toBe('[[{"x":12345678901234567890.12345}],[{"x":1}]]');
  });

  test('has neither totals nor links, but lines have the cursor of the next page', async () => {
    const page = (c: unknown) => ({
      query: 'Products.sort(p=>p.id).take(2).after(c).map(p=>[p.id])',
      data: { c },
    });
    const counted = { query: 'Shippers', options: { count: true } };
    const answer = await listed([page(null), counted]);
    expect(answer.json()).toMatchObject([[{ id: 1 }, { id: 2 }], { code: 'options-invalid' }]);
    expect(answer.headers.get('link')).toBeNull();
    const { text } = await listed([page(null)], NDJSON);
    const { next } = JSON.parse(text);
    expect(await answers([page(next)])).toEqual([[{ id: 3 }, { id: 4 }]]);
  });

  test('warns if the sort of a page is not unique', async () => {
    const query = 'Products.sort(p=>p.discontinued).page(1, 2)';
    const { headers } = await listed([{ query: 'Shippers' }, { query }, { query }]);
    expect(headers.get('rowgate-warning')).toMatch(/^sort-not-unique;detail="[^"]+"$/);
  });

  describe('with writes', () => {
    const insert = (name: string) => ({ query: 'Categories.insert()', data: { name } });
    const named = (name: string) =>
      rowsOf(program(), 'Categories.filter(p=>p.name==name).map(p=>p.name)', { name });

    test('stores each of them by itself', async () => {
      const name = unique();
      const done = await answers([
        insert(name),
        insert(name),
        { query: POINT, data: { id: 1 } },
        insert(`${name}-2`),
        {
          query: 'Categories.update({description: "x"}).filter(p=>p.name==name)',
          data: { name: '-' },
        },
      ]);
      const stored = expect.objectContaining({ id: expect.any(Number) });
      const refused = expect.objectContaining({ code: 'unique-violation', status: 409 });
      expect(done).toEqual([
        expect.toBeOneOf([stored, refused]),
        expect.toBeOneOf([stored, refused]),
        [expect.objectContaining({ id: 1 })],
        stored,
        0,
      ]);
      expect(Object(done)[0].status === 409).not.toBe(Object(done)[1].status === 409);
      expect(await named(name)).toEqual([{ name }]);
      expect(await named(`${name}-2`)).toHaveLength(1);
    });

    test('stores each of them once under an idempotency key', async () => {
      const [name, other] = [unique(), unique()];
      const key = { 'idempotency-key': unique() };
      const list = [insert(name), { query: 'Shippers.sort(p=>p.id)' }, insert(other)];
      const first = await listed(list, key);
      expect(first.status).toBe(200);
      expect((await listed(list, key)).text).toBe(first.text);
      expect(await named(name)).toHaveLength(1);
      const changed = await listed([insert(`${name}-2`), list[1], insert(other)], key);
      expect(changed.json()).toEqual([
        expect.objectContaining({ code: 'idempotency-key-reused' }),
        expect.any(Array),
        JSON.parse(first.text)[2],
      ]);
    });
  });
}

let names = 0;
const unique = () => `list-${process.pid}-${++names}`;

function indexOf(line: string): number {
  return JSON.parse(line).index;
}
