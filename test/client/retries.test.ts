/**
 * Which requests are sent again after a failure, and how calls are combined into batches, with a
 * simulated gateway.
 */
import { describe, expect, test } from 'vitest';
import {
  type CallOptions,
  type ClientOptions,
  createClient,
  eq,
} from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';

type Answer = () => Response | Promise<Response>;

/** A client whose requests are answered by `answers`, one after the other, and then with `[]`. */
function clientOf(answers: readonly Answer[], more: Partial<ClientOptions> = {}) {
  const sent: { body: unknown; headers: Headers; at: number }[] = [];
  const options: ClientOptions = {
    url: 'http://gateway',
    fetch: async (_url, init) => {
      const body = JSON.parse(String(init?.body));
      sent.push({ body, headers: new Headers(init?.headers), at: performance.now() });
      return (await answers[sent.length - 1]?.()) ?? new Response('[]');
    },
    ...more,
  };
  return { db: createClient<Domain>(options), sent };
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = { type: `urn:rowgate:problem:${code}`, title: '', status, code, detail: code };
  return () => new Response(JSON.stringify(body), { status, headers });
}

const broken: Answer = () => Promise.reject(new TypeError('fetch failed'));
const cut: Answer = () =>
  new Response(
    new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
  );

describe('a read', () => {
  test.each([
    { what: 'a lost connection', answer: broken },
    { what: 'a cut answer', answer: cut },
    { what: 'a full queue', answer: problem(503, 'queue-full') },
    { what: 'a rate limit', answer: problem(429, 'rate-limited', { 'retry-after': '0' }) },
    { what: 'a failure of a proxy', answer: () => new Response('', { status: 502 }) },
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

  test('waits as long as the gateway asks for', async () => {
    const { db, sent } = clientOf([problem(503, 'queue-full', { 'retry-after': '1' })]);
    await db.Shippers.run();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(990);
  });

  test('does not wait past its time limit, nor past an abort', async () => {
    const busy = problem(503, 'queue-full', { 'retry-after': '3600' });
    const { db } = clientOf([busy, busy]);
    await expect(db.Shippers.run({ timeoutMs: 50 })).rejects.toThrow('within 50 ms');
    const controller = new AbortController();
    const running = db.Shippers.run({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('left')), 20);
    await expect(running).rejects.toThrow('left');
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

describe('with batch, calls', () => {
  const lines =
    (...answers: readonly object[]): Answer =>
    () =>
      new Response(answers.map((each) => `${JSON.stringify(each)}\n`).join(''));

  test('that are made together are sent as one request, and answered in any order', async () => {
    const answer = lines(
      { index: 1, status: 200, result: [{ id: 2 }] },
      { index: 0, status: 200, result: [] },
    );
    const { db, sent } = clientOf([answer], { batch: true });
    const [first, second] = await Promise.all([db.Shippers.run(), db.Orders.run()]);
    expect([first, second]).toEqual([[], [{ id: 2 }]]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers.get('accept')).toBe('application/x-ndjson');
    expect(sent[0]?.body).toMatchObject([{ query: 'Shippers' }, { query: 'Orders' }]);
  });

  test('fail one by one', async () => {
    const error = {
      type: 'urn:rowgate:problem:unknown-entity',
      code: 'unknown-entity',
      detail: 'No.',
    };
    const answer = lines(
      { index: 0, status: 400, problem: error },
      { index: 1, status: 200, result: [] },
    );
    const { db } = clientOf([answer], { batch: true });
    const [failed, other] = await Promise.allSettled([db.query('X').run(), db.Orders.run()]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'unknown-entity' } });
    expect(other).toMatchObject({ status: 'fulfilled', value: [] });
  });

  test('whose data cannot be sent fail by themselves', async () => {
    const { db, sent } = clientOf([lines({ index: 0, status: 200, result: [] })], { batch: true });
    const [wrong, other] = await Promise.allSettled([
      db.Shippers.filter((s) => eq(s.id, Number.NaN)).run(),
      db.Orders.run(),
    ]);
    expect(wrong).toMatchObject({
      status: 'rejected',
      reason: { message: 'NaN cannot be sent as JSON.' },
    });
    expect(other.status).toBe('fulfilled');
    expect(sent[0]?.body).toMatchObject([{ query: 'Orders' }]);
  });

  test('that read are sent again, and those that write are not', async () => {
    const { db, sent } = clientOf([broken, lines({ index: 0, status: 200, result: [] })], {
      batch: true,
    });
    const [read, write] = await Promise.allSettled([
      db.Shippers.run(),
      db.Shippers.insert({ name: 'A' }).run(),
    ]);
    expect(read.status).toBe('fulfilled');
    expect(write).toMatchObject({ status: 'rejected', reason: { name: 'ConnectionError' } });
    expect(sent[1]?.body).toMatchObject([{ query: 'Shippers' }]);
  });

  test('beyond 1,000 are sent in further requests', async () => {
    const answer: Answer = () =>
      lines(...Array.from({ length: 1000 }, (_, index) => ({ index, result: [] })))();
    const { db, sent } = clientOf([answer, answer], { batch: true });
    await Promise.all(Array.from({ length: 1001 }, () => db.Shippers.run()));
    expect(sent.map(({ body }) => (Array.isArray(body) ? body.length : 0))).toEqual([1000, 1]);
  });

  test('beyond 512 Ki characters are sent in further requests, and a longer call alone', async () => {
    const answer: Answer = () =>
      lines(...Array.from({ length: 1000 }, (_, index) => ({ index, result: 1 })))();
    const { db, sent } = clientOf([answer, answer, answer, answer, answer], { batch: true });
    const lengths = [200, 200, 200, 2000, 1, 511];
    const inserts = lengths.map((length) =>
      db.query('Shippers.insert()', { name: 'x'.repeat(length * 1024) }).run(),
    );
    await Promise.all(inserts);
    const sizes = sent.map(({ body }) => (Array.isArray(body) ? body.length : 0));
    expect(sizes).toEqual([2, 1, 1, 1, 1]);
  });

  test('that the gateway is too busy for are sent again after the second that it asks for', async () => {
    const busy = { type: 'urn:rowgate:problem:queue-full', code: 'queue-full', status: 503 };
    const answers = [
      lines({ index: 0, status: 503, problem: { ...busy, detail: 'The queue is full.' } }),
      lines({ index: 0, status: 200, result: [] }),
    ];
    const { db, sent } = clientOf(answers, { batch: true });
    await db.Shippers.run();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(990);
  });

  test('are aborted one by one, and their request once all of them are', async () => {
    let isAborted = false;
    const { db } = clientOf([], {
      batch: true,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = db.Shippers.run({ signal: one.signal });
    const second = db.Orders.run({ signal: two.signal });
    setTimeout(() => one.abort(new Error('first left')), 10);
    await expect(first).rejects.toThrow('first left');
    expect(isAborted).toBe(false);
    two.abort(new Error('second left'));
    await expect(second).rejects.toThrow('second left');
    await expect.poll(() => isAborted).toBe(true);
  });

  test.each(['before', 'after'])(
    'that are aborted %s the others were answered end their request',
    async (when) => {
      let isAborted = false;
      let body: ReadableStreamDefaultController<Uint8Array> | undefined;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => void (body = controller),
      });
      let isSent = false;
      const { db } = clientOf([], {
        batch: true,
        fetch: (_url, init) => {
          isSent = true;
          init?.signal?.addEventListener('abort', () => {
            isAborted = true;
            body?.error(init.signal?.reason);
          });
          return Promise.resolve(new Response(stream));
        },
      });
      const controller = new AbortController();
      const answered = db.Shippers.run();
      const left = db.Orders.run({ signal: controller.signal });
      const leave = async () => {
        controller.abort(new Error('left'));
        await expect(left).rejects.toThrow('left');
      };
      await expect.poll(() => isSent).toBe(true);
      if (when === 'before') await leave();
      expect(isAborted).toBe(false);
      body?.enqueue(new TextEncoder().encode('{"index":0,"status":200,"result":[]}\n'));
      expect(await answered).toEqual([]);
      if (when === 'after') await leave();
      await expect.poll(() => isAborted).toBe(true);
    },
  );
});
