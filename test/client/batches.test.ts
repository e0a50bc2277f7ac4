/** How calls are combined into batches, with a simulated gateway. */
import { describe, expect, test } from 'vitest';
import { eq } from '../../clients/typescript/src/index.js';
import { type Answer, broken, clientOf, lines, problem } from './simulated-gateway.js';

const tooMany = problem(400, 'too-many-queries');

describe('with batch, calls', () => {
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

  test.each([
    { status: 503, code: 'queue-full' },
    { status: 429, code: 'rate-limited' },
  ])('that are refused with $status are sent again after a second', async ({ status, code }) => {
    const busy = { type: `urn:rowgate:problem:${code}`, code, status, detail: 'It is busy.' };
    const answers = [
      lines({ index: 0, status, problem: busy }),
      lines({ index: 0, status: 200, result: [] }),
    ];
    const { db, sent } = clientOf(answers, { batch: true });
    await db.Shippers.run();
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThan(990);
  });

  test('are sent in smaller requests if the gateway accepts only those', async () => {
    const sizes: number[] = [];
    const { db } = clientOf([], {
      batch: true,
      fetch: (_url, init) => {
        const queries = JSON.parse(String(init?.body)) as { readonly data: object }[];
        sizes.push(queries.length);
        if (queries.length > 3) return Promise.resolve(tooMany());
        const results = queries.map(({ data }, index) => ({ index, status: 200, result: data }));
        return Promise.resolve(lines(...results)());
      },
    });
    const ids = [1, 2, 3, 4, 5, 6, 7];
    const run = () => Promise.all(ids.map((id) => db.query('Shippers', { id }).run()));
    expect(await run()).toEqual(ids.map((id) => ({ id })));
    expect(sizes.splice(0)).toEqual([7, 4, 3, 2, 2]);
    await run();
    expect(sizes).toEqual([2, 2, 2, 1]);
  });

  test('are aborted one by one, and their request once all of them are', async () => {
    let isSent = false;
    let isAborted = false;
    const { db } = clientOf([], {
      batch: true,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          isSent = true;
          init?.signal?.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = db.Shippers.run({ signal: one.signal });
    const second = db.Orders.run({ signal: two.signal });
    await expect.poll(() => isSent).toBe(true);
    one.abort(new Error('first left'));
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
