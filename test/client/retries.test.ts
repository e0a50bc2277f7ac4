/** Which requests are sent again after a failure, with a simulated gateway. */
import { describe, expect, test } from 'vitest';
import { type CallOptions, createClient, eq } from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';
import { broken, clientOf, cut, lines, problem } from './simulated-gateway.js';

describe('a read', () => {
  test.each([
    { what: 'a lost connection', answer: broken },
    { what: 'a cut answer', answer: cut },
    { what: 'a full queue', answer: problem(503, 'queue-full') },
    { what: 'a rate limit', answer: problem(429, 'rate-limited', { 'retry-after': '0' }) },
    { what: 'a failure of a proxy', answer: () => new Response('', { status: 502 }) },
    { what: 'a rate limit of a proxy', answer: () => new Response('', { status: 429 }) },
  ])('is sent again after $what', async ({ answer }) => {
    const { db, sent } = clientOf([answer]);
    expect(await db.Shippers.run()).toEqual([]);
    expect(sent).toHaveLength(2);
  });

  test.each([
    { what: 'an unknown outcome', answer: problem(503, 'outcome-unknown') },
    { what: 'a wrong query', answer: problem(400, 'query-syntax') },
    { what: 'a statement that took too long', answer: problem(504, 'statement-timeout') },
  ])('is not sent again after $what', async ({ answer }) => {
    const { db, sent } = clientOf([answer]);
    await expect(db.Shippers.run()).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test('is sent again a limited number of times', async () => {
    const { db, sent } = clientOf([broken, broken, broken, broken], { retries: 1 });
    await expect(db.Shippers.run()).rejects.toThrow('The gateway cannot be reached: fetch failed');
    expect(sent).toHaveLength(2);
    await expect(db.Shippers.run({ retries: 0 })).rejects.toThrow();
    expect(sent).toHaveLength(3);
  });

  const headers = { 'retry-after': '1' };
  test.each([
    { who: 'the gateway', answer: problem(503, 'queue-full', headers) },
    { who: 'a proxy', answer: () => new Response('', { status: 503, headers }) },
  ])('waits as long as $who asks for', async ({ answer }) => {
    const { db, sent } = clientOf([answer]);
    await db.Shippers.run();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(990);
  });

  test('does not wait past its time limit, nor past an abort', async () => {
    const busy = problem(503, 'queue-full', { 'retry-after': '30' });
    const { db } = clientOf([busy, busy]);
    await expect(db.Shippers.run({ timeoutMs: 50 })).rejects.toThrow('queue-full');
    const controller = new AbortController();
    const running = db.Shippers.run({ signal: controller.signal });
    setTimeout(() => controller.abort('left'), 20);
    await expect(running).rejects.toBe('left');
  });

  test.each([undefined, 0])('does not wait for an hour (timeoutMs: %s)', async (timeoutMs) => {
    const headers = { 'retry-after': '3600' };
    const { db, sent } = clientOf([() => new Response('', { status: 502, headers })]);
    const refused = { name: 'AnswerError', status: 502, retryAfter: 3600 };
    await expect(db.Shippers.run({ timeoutMs })).rejects.toMatchObject(refused);
    expect(sent).toHaveLength(1);
  });
});

describe('a write', () => {
  const insert = (db: ReturnType<typeof clientOf>['db']) => db.Shippers.insert({ name: 'A' });

  test.each([{ answer: broken }, { answer: problem(503, 'queue-full') }])(
    'is not sent again without an idempotency key',
    async ({ answer }) => {
      const { db, sent } = clientOf([answer]);
      await expect(insert(db).run()).rejects.toThrow();
      await expect(clientOf([answer]).db.query('Shippers.insert()').run()).rejects.toThrow();
      await expect(clientOf([answer]).db.transaction([insert(db)])).rejects.toThrow();
      expect(sent).toHaveLength(1);
    },
  );

  test('is sent again with the same idempotency key', async () => {
    const { db, sent } = clientOf([broken, problem(503, 'source-unavailable')]);
    await insert(db).run({ idempotencyKey: 'k-1' });
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'k-1',
      'k-1',
      'k-1',
    ]);
  });

  test('is never sent again after an unknown outcome', async () => {
    const { db, sent } = clientOf([problem(503, 'outcome-unknown')]);
    await expect(insert(db).run({ idempotencyKey: 'k-1' })).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    expect(sent).toHaveLength(1);
  });
});

test.each([Infinity, 2 ** 31, 0])(
  'a call with a timeoutMs of %s has no time limit',
  async (timeoutMs) => {
    const { db } = clientOf([], {
      timeoutMs,
      fetch: (_url, init) =>
        new Promise((resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
          setTimeout(() => resolve(new Response('[]')), 50);
        }),
    });
    expect(await db.Shippers.run()).toEqual([]);
  },
);

test('a transaction that only reads is sent again', async () => {
  const { db, sent } = clientOf([broken, () => new Response('[[]]')]);
  await db.transaction([db.Shippers]);
  expect(sent).toHaveLength(2);
});

test('keys, headers, stages and views are sent', async () => {
  const { db, sent } = clientOf([], {
    key: () => Promise.resolve('rowgate_secret'),
    headers: { 'x-request-id': 'r1' },
    stage: 'reports',
    view: 'clerk',
  });
  await db.Shippers.run({ view: 'boss' });
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer rowgate_secret');
  expect(sent[0]?.headers.get('x-request-id')).toBe('r1');
  expect(sent[0]?.body).toEqual({
    query: 'Shippers',
    data: {},
    options: { stage: 'reports', view: 'boss' },
  });
});

test('with exact numbers, nothing is written before the types of the columns are known', async () => {
  const { sent } = clientOf([]);
  const exact = createClient<Domain>({
    url: 'http://gateway',
    exact: true,
    fetch: (url) => {
      sent.push({ body: String(url), headers: new Headers(), at: 0 });
      return Promise.resolve(new Response('', { status: 403 }));
    },
  });
  await expect(exact.Shippers.insert({ name: 'A' }).run()).rejects.toThrow('the status 403');
  expect(sent.map(({ body }) => body)).toEqual(['http://gateway/model']);
});

describe('while the types of the columns are asked for,', () => {
  const never = () => new Promise<Response>(() => {});
  const exactly = (batch: boolean) =>
    createClient<Domain>({ url: 'http://gateway', exact: true, batch, fetch: never });
  const { Shippers, transaction } = exactly(false);

  test.each([
    { what: 'run', call: (options: CallOptions) => Shippers.run(options) },
    { what: 'answer', call: (options: CallOptions) => Shippers.answer(options) },
    { what: 'stream', call: (options: CallOptions) => Shippers.stream(options).next() },
    { what: 'a batch', call: (options: CallOptions) => exactly(true).Shippers.run(options) },
    { what: 'a transaction', call: (options: CallOptions) => transaction([Shippers], options) },
  ])(
    '$what can be aborted, and has its time limit',
    async ({ call }) => {
      await expect(call({ timeoutMs: 20 })).rejects.toThrow('within 20 ms');
      const controller = new AbortController();
      const running = call({ signal: controller.signal });
      controller.abort(new Error('left'));
      await expect(running).rejects.toThrow('left');
      await expect(call({ signal: controller.signal })).rejects.toThrow('left');
    },
    5000,
  );
});

test('a stream that is cut rejects with a ConnectionError', async () => {
  const { db } = clientOf([cut]);
  await expect(db.Shippers.stream().next()).rejects.toMatchObject({ name: 'ConnectionError' });
});

test('a stream takes only its last line for a problem, and a column of that name for a row', async () => {
  const { type, ...others } = { type: 'urn:rowgate:problem:timeout', code: 'timeout', status: 504 };
  const error = { type, ...others, detail: 'It took too long.' };
  const answer = lines({ error }, { error: others }, { error });
  const { db } = clientOf([answer]);
  const rows: unknown[] = [];
  const read = async () => {
    for await (const row of db.query('Logs.map(p=>p.error)').stream()) rows.push(row);
  };
  await expect(read()).rejects.toMatchObject({ code: 'timeout' });
  expect(rows).toEqual([{ error }, { error: others }]);
});

test('a number or a date that JSON cannot express is refused', async () => {
  const { db, sent } = clientOf([]);
  const ofId = (id: number) => db.Shippers.filter((s) => eq(s.id, id)).run();
  await expect(ofId(Number.NaN)).rejects.toThrow(new TypeError('NaN cannot be sent as JSON.'));
  const update = db.Orders.update({ id: 1, orderDate: new Date('tomorrow') });
  const refused = new TypeError('Invalid Date cannot be sent as JSON.');
  await expect(update.run()).rejects.toThrow(refused);
  await expect(db.transaction([update])).rejects.toThrow(refused);
  expect(sent).toEqual([]);
});
