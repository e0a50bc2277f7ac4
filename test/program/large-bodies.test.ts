/** Requests with large bodies. `burdening-bodies.test.ts` tests their effect on other clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw } from '../http/raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { type Program, post, rowsOf, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const MIB = 1 << 20;

let sample: SampleServer;
beforeAll(async () => {
  sample = await startSampleServer();
});
afterAll(() => sample.stop());

const POINT = 'Orders.filter(p=>p.id==id).map(p=>p.customerId)';
const LISTED = 'Orders.filter(p=>in(p.id,ids)).map(p=>p.id)';

function bodyOf(query: string, data: string): string {
  return `{"query":${JSON.stringify(query)},"data":${data}}`;
}

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await sample.start(['--http-server', httpServer]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  /** Sizes around those from which a body is parsed in parts, and in a separate worker. */
  const sizes = [1000, 70_000, 200_000, 900_000, 1_200_000, 5_000_000];

  test.each(sizes)('answers a query with data of %i bytes', async (size) => {
    const data = { id: 1, unused: 'x"é🙂'.repeat(size / 9), exact: 1 };
    const exact = (text: string) => text.replace('"exact":1', '"exact":12345678901234567890');
    const { text: expected } = await post(program, '/execute', {
      query: POINT,
      data: { id: 1 },
    });
    for (const sent of [data, JSON.stringify(data)]) {
      const body = exact(JSON.stringify({ query: POINT, data: sent }));
      for (const marked of [body, `\ufeff${body}`]) {
        const answer = await post(program, '/execute', marked);
        expect(answer).toMatchObject({ status: 200, text: expected });
      }
    }
  });

  test.each(sizes)('runs a transaction with data of %i bytes', async (size) => {
    const note = 'n'.repeat(size);
    const steps = [1, 2].map((id) => ({ query: POINT, data: { id, note } }));
    for (const body of [steps, { steps, options: { readOnly: true } }]) {
      const answer = await post(program, '/transaction', body);
      expect([answer.status, answer.json()]).toEqual([
        200,
        expect.arrayContaining([expect.any(Array)]),
      ]);
    }
  });

  test('stores the content of a large body, and only once for its key', async () => {
    const count = async () => rowsOf(program, 'Categories.count()');
    const before = await count();
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      id: 1000 + at,
      name: `c${at}`,
      description: 'd'.repeat(500),
    }));
    const body = { query: 'Categories.bulkInsert()', data: rows };
    const sent = () =>
      post(program, '/execute', body, { 'idempotency-key': `large ${httpServer}` });
    const answers = [await sent(), await sent()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await count()).not.toEqual(before);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    await post(program, '/execute', { query: 'Categories.delete().filter(p=>p.id>=1000)' });
    expect(await count()).toEqual(before);
  });

  test.each([
    ['incomplete JSON', `${bodyOf(POINT, `{"id":1,"x":"${'x'.repeat(100_000)}`)}`, 'body-not-json'],
    [
      'malformed JSON',
      `${bodyOf(POINT, `{"id":1,"x":"${'x'.repeat(100_000)}"}`)}}`,
      'body-not-json',
    ],
    ['malformed data', bodyOf(POINT, `{"id":1,"x":"${'x'.repeat(100_000)}",}`), 'data-malformed'],
    ['a list', `[${'1,'.repeat(100_000)}1]`, 'too-many-queries'],
    ['no query', `{"data":{"x":"${'x'.repeat(100_000)}"}}`, 'query-missing'],
    ['a long query', JSON.stringify({ query: 'x'.repeat(100_000) }), 'query-too-long'],
    [
      'a wrong option',
      `{"query":"Orders","options":{"vieww":1},"data":"${'x'.repeat(100_000)}"}`,
      'options-invalid',
    ],
  ])('refuses %s in a large body', async (_, body, code) => {
    const answer = await post(program, '/execute', body);
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ code })]);
  });

  test('refuses more than 1 MiB of content outside the data', async () => {
    const answer = await post(
      program,
      '/execute',
      JSON.stringify({ query: POINT, more: 'x'.repeat(2 * MIB) }),
    );
    expect([answer.status, answer.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'body-too-large' }),
    ]);
  });

  test('lets bodies wait for memory, and refuses those that wait for too long', async () => {
    const narrow = await sample.start([
      ...['--http-server', httpServer, '--workers', '1'],
      ...['--bodies-max', '1MiB', '--queue-wait-ms', '50'],
    ]);
    const body = bodyOf(LISTED, `{"ids":[${'1,'.repeat(2 * MIB)}1]}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(narrow, '/execute', body)),
    );
    const codes = answers.map((answer) => [answer.status, answer.headers.get('retry-after')]);
    expect(codes).toContainEqual([503, '1']);
    expect(codes).toContainEqual([200, null]);
    expect(await rowsOf(narrow, POINT, { id: 1 })).toHaveLength(1);
    await until('there is room', async () => (await post(narrow, '/execute', body)).status === 200);
    expect(await narrow.stop()).toBe(0);
  });

  test('gives the memory of bodies that hardly arrive to those that wait', async () => {
    const flags = ['--http-server', httpServer, '--workers', '1', '--bodies-max', '1MiB'];
    const narrow = await sample.start(flags);
    const head = 'POST /execute HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const slow = await connectRaw(narrow.port);
    slow.send(`${head}content-length: ${MIB}\r\n\r\n{`);
    await sleep(500);
    let sent = 1;
    const trickle = setInterval(() => {
      slow.send(' ');
      sent += 1;
    }, 500);
    const body = bodyOf(LISTED, `{"ids":[${'1,'.repeat(MIB / 4)}1]}`);
    expect((await post(narrow, '/execute', body)).status).toBe(200);
    clearInterval(trickle);
    slow.send(' '.repeat(MIB - sent));
    await slow.until((text) => text.includes('"body-waited"'));
    expect(await narrow.stop()).toBe(0);
  });
});
