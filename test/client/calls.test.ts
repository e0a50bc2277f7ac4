/** The behaviour of calls: streams, pages, aborts, time limits, exact numbers, texts and errors. */
import { expect, expectTypeOf, test } from 'vitest';
import {
  add,
  AnswerError,
  coalesce,
  ConnectionError,
  createClient,
  desc,
  divide,
  eq,
  exp,
  gt,
  literal,
  modulo,
  negate,
  ProblemError,
  raise,
  remainder,
  root,
  RowgateError,
  type Row,
  subtract,
  TimeoutError,
} from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';
import { useSampleClient } from './sample-client.js';

const { db, options, texts } = useSampleClient();

test('a stream yields the rows one by one', async () => {
  const names: string[] = [];
  for await (const row of db.Shippers.sort((s) => s.id).stream()) {
    expectTypeOf(row).toEqualTypeOf<Row<Domain, 'Shippers'>>();
    names.push(row.name);
  }
  expect(names).toEqual(['Swift Parcel', 'Überland Spedition', "Porter's & Cie", 'みどり運送']);
});

test('leaving a stream early ends it', async () => {
  for await (const row of db.Orders.include((o) => o.details).stream()) {
    expect(row.details.length).toBeGreaterThan(0);
    break;
  }
  expect(await db.Shippers.count().run()).toBe(4);
});

test('a stream that fails later throws the problem of its last line', async () => {
  const failing = db.Orders.map((o) => ({ x: o.id })).filter((o) =>
    gt(divide(literal(1), literal(1)), o.id),
  );
  const broken = db.query<{ x: number }>('Orders.map(o=>({x: o.id+9223372036854775000}))');
  const read = async () => {
    const rows = [];
    for await (const row of broken.stream()) rows.push(row);
    return rows;
  };
  await expect(read()).rejects.toMatchObject({ code: 'value-out-of-range', status: 400 });
  expect(await failing.run()).toEqual([]);
});

test('an aborted call rejects with the reason of the signal', async () => {
  const controller = new AbortController();
  const running = db.Orders.run({ signal: controller.signal });
  const reason = new Error('no longer needed');
  controller.abort(reason);
  await expect(running).rejects.toBe(reason);
  await expect(db.Orders.run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stream = db.Orders.stream({ signal: AbortSignal.abort(reason) });
  await expect(stream.next()).rejects.toBe(reason);
});

test('a call that takes too long rejects with a TimeoutError', async () => {
  const slow = db.query(
    'Orders.filter(o=>o.id<0 || exists(o.details, d=>d.product.orderDetails.sum(e=>e.quantity)<0)).count()',
  );
  await expect(slow.run({ timeoutMs: 1 })).rejects.toThrow(TimeoutError);
});

test('rows are counted without their page', async () => {
  const answer = await db.Products.sort((p) => p.name)
    .page(2, 10)
    .answer({ count: true });
  expect(answer.rows).toHaveLength(10);
  expect(answer.total).toBe(80);
  expect(answer.requestId).toEqual(expect.any(String));
  expect(answer.warning).toMatch(/^sort-not-unique/);
  expect((await db.Products.answer()).total).toBeUndefined();
});

test('pages follow cursors', async () => {
  const byPrice = db.Products.sort((p) => desc(p.price)).map((p) => [p.id, p.price]);
  const first = await byPrice.after(null, 2).answer();
  expect(first.rows.map(({ id }) => id)).toEqual([22, 42]);
  const second = await byPrice.after(first.next ?? null, 2).answer();
  expect(second.rows[0]?.price).toBeLessThan(97);
  texts();
  const sizes: number[] = [];
  for await (const page of byPrice.pages(30)) {
    expectTypeOf(page).toEqualTypeOf<{ id: number; price: number | null }[]>();
    sizes.push(page.length);
  }
  expect(sizes).toEqual([30, 30, 20]);
  expect(new Set(texts()).size).toBe(1);
});

test('a query can be written as text', async () => {
  const query = db.query<{ id: number }>('Products.filter(p=>p.price<low).map(p=>p.id)', {
    low: 3,
  });
  const rows = await query.run();
  expectTypeOf(rows).toEqualTypeOf<{ id: number }[]>();
  expect(rows).toEqual([{ id: 39 }, { id: 54 }]);
});

test('exact numbers are bigints and strings of digits, by the types of their columns', async () => {
  const exact = createClient<Domain>({ ...options, url: options.url, exact: true });
  const rows = await exact.Products.filter((p) => eq(p.id, 1n))
    .map((p) => [p.id, p.price, p.inStock, p.name])
    .include((p) => p.supplier.map((s) => s.id))
    .run();
  expectTypeOf(rows).toEqualTypeOf<
    {
      id: bigint;
      price: `${number}` | null;
      inStock: `${number}` | null;
      name: string;
      supplier: { id: bigint };
    }[]
  >();
  expect(rows).toEqual([
    {
      id: 1n,
      price: '53.73',
      inStock: '55',
      name: 'Grandma’s Jalapeño Sauce',
      supplier: { id: expect.any(BigInt) },
    },
  ]);
  const [first] = rows;
  const again = exact.Products.filter((p) => eq(p.price, first?.price ?? null)).map((p) => p.id);
  expect(await again.run()).toContainEqual({ id: 1n });
  const sums = exact.Products.filter((p) => eq(p.id, 1n)).map((p) => ({
    sum: divide(p.id, literal(3)),
  }));
  expect(await sums.run()).toEqual([{ sum: '0.33333333333333333333' }]);
  const streamed: unknown[] = [];
  for await (const row of sums.stream()) streamed.push(row);
  expect(streamed).toEqual([{ sum: '0.33333333333333333333' }]);
  expect(await exact.Products.count().run()).toBe(80);
  expect(await exact.Products.update({ id: 1n, inStock: '12345678901234567890.5' }).run()).toBe(1);
  const [count, stored] = await exact.transaction([
    exact.Shippers.count(),
    exact.Products.filter((p) => eq(p.id, 1n)).map((p) => p.inStock),
  ]);
  expect(count).toBe(4);
  expect(stored).toEqual([{ inStock: '12345678901234567890.5' }]);
});

test('exact numbers of arithmetic have the types that the gateway computes', async () => {
  const exact = createClient<Domain>({ ...options, url: options.url, exact: true });
  const part: number = 2;
  const query = exact.Products.filter((p) => eq(p.id, 1n)).map((p) => ({
    parameter: add(p.id, 1n),
    literal: add(p.id, literal(2)),
    fraction: subtract(p.id, literal(0.5)),
    constant: literal(2),
    either: literal(part),
    eitherSum: add(p.id, literal(part)),
    negative: negate(p.id),
    quotient: divide(p.id, literal(4)),
    double: divide(exp(p.id), 1),
    raised: raise(exp(p.id), literal(0)),
    rooted: root(exp(p.id), literal(1)),
    rest: modulo(p.id, literal(2)),
    remainder: remainder(p.id, 2n),
    present: coalesce(p.supplierId, p.price, 1),
  }));
  const [row] = await query.run();
  type Digits = `${number}`;
  expectTypeOf(row).toEqualTypeOf<
    | {
        parameter: Digits;
        literal: bigint;
        fraction: Digits;
        constant: bigint;
        either: bigint | Digits;
        eitherSum: bigint | Digits;
        negative: bigint;
        quotient: Digits | null;
        double: number | null;
        raised: number | null;
        rooted: number | null;
        rest: bigint | null;
        remainder: Digits | null;
        present: bigint | Digits;
      }
    | undefined
  >();
  const typeOf = (value: unknown) => (value === null ? 'null' : typeof value);
  const types = Object.entries(row ?? {}).map(([name, value]) => [name, typeOf(value)]);
  expect(Object.fromEntries(types)).toEqual({
    parameter: 'string',
    literal: 'bigint',
    fraction: 'string',
    constant: 'bigint',
    either: 'bigint',
    eitherSum: 'bigint',
    negative: 'bigint',
    quotient: 'string',
    double: 'number',
    raised: 'number',
    rooted: 'number',
    rest: 'bigint',
    remainder: 'string',
    present: 'string',
  });
});

test('calls that are made together are sent as one request, and each has its own answer or error', async () => {
  const batched = createClient<Domain>({ ...options, url: options.url, batch: true, exact: true });
  const plain = createClient<Domain>({ ...options, url: options.url, batch: true });
  texts();
  const [first, missing, wrong, count] = await Promise.allSettled([
    plain.Shippers.filter((s) => eq(s.id, 1)).run(),
    plain.Shippers.filter((s) => eq(s.id, -1))
      .first()
      .run(),
    plain.query('Shippers.map(s=>s.nme)').run(),
    plain.Shippers.count().run(),
  ]);
  expect(first).toMatchObject({ value: [{ id: 1, name: 'Swift Parcel' }] });
  expect(missing).toMatchObject({ status: 'fulfilled', value: undefined });
  expect(wrong).toMatchObject({ reason: { code: 'unknown-property', status: 400 } });
  expect(count).toMatchObject({ value: 4 });
  expect(texts()).toHaveLength(1);
  const exactly = await batched.Products.filter((p) => eq(p.id, 2n))
    .map((p) => [p.id, p.inStock])
    .run();
  expect(exactly).toEqual([{ id: 2n, inStock: expect.any(String) }]);
});

test('the columns of an exact query are requested once', async () => {
  const exact = createClient<Domain>({ ...options, url: options.url, exact: true });
  texts();
  await exact.Shippers.first().run();
  await exact.Shippers.first().run();
  expect(texts()).toEqual(['Shippers.first()', 'Shippers.first()', 'Shippers.first()']);
});

test('an error has its code, its status, and its place in the text', async () => {
  const error = await db
    .query('Products.filter(p=>p.prise>1)')
    .run()
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(RowgateError);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    code: 'unknown-property',
    status: 400,
    position: { ln: 1, col: 22 },
    message: "Entity 'Products' has no property or relation 'prise'. Did you mean 'price'?",
    problem: { type: 'urn:rowgate:problem:unknown-property', requestId: expect.any(String) },
  });
});

test('a gateway that cannot be reached, and answers that are not its own, have errors of their own', async () => {
  const nowhere = createClient<Domain>({ url: 'http://127.0.0.1:9', retries: 0 });
  await expect(nowhere.Shippers.run()).rejects.toThrow(ConnectionError);
  const page = new Response('<html>', { status: 404 });
  const proxied = createClient<Domain>({ url: 'http://x', fetch: () => Promise.resolve(page) });
  await expect(proxied.Shippers.run()).rejects.toThrow(AnswerError);
  const text = createClient<Domain>({
    url: 'http://x',
    fetch: () => Promise.resolve(new Response('[{"id"')),
  });
  await expect(text.Shippers.run()).rejects.toThrow('The answer is not JSON.');
});
