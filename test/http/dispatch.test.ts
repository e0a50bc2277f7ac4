import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRaw, rawPost } from './raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { loadSchema } from '../../src/engine/index.js';

const MIB = 1024 * 1024;

describeServers('execution behind %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server, ['--stream-window-bytes', '256KiB']);
  });
  afterAll(() => started.gateway.close());

  const execute = (data: unknown, query = 'Orders', init: RequestInit = {}) =>
    postJson(`${started.base}/execute`, { query, data }, init);
  const unanswered = () => started.gateway.counters().dispatcher.unanswered;

  it('streams an answer of many times its window, with every byte in its place', async () => {
    const response = await execute({ stream: 20 * MIB });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(sha1(Buffer.from(await response.arrayBuffer()))).toBe(sha1(pattern(20 * MIB)));
  });

  it('lets the worker run ahead only by its window while nobody reads', async () => {
    const client = await connectRaw(started.gateway.port);
    client.socket.pause();
    client.send(
      rawPost('/execute', JSON.stringify({ query: 'Orders', data: { stream: 500 * MIB } })),
    );
    await sleep(300);
    const before = process.memoryUsage().arrayBuffers;
    await sleep(300);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB);
    expect(unanswered()).toBe(1);
    client.end();
    await until(() => unanswered() === 0);
  });

  it('sends a large whole answer', async () => {
    expect((await (await execute({ large: 3 * MIB })).text()).length).toBe(3 * MIB);
  });

  it('cuts a streamed answer that fails, without an end', async () => {
    const response = await execute({ stream: 5 * MIB, failAt: 2 * MIB });
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(started.observations).toContainEqual(
      expect.objectContaining({
        kind: 'request',
        request: expect.objectContaining({
          failure: expect.objectContaining({ code: 'internal', isCut: true }),
        }),
      }),
    );
  });

  it('cancels a request in the worker when its client disconnects, and logs it as 499', async () => {
    const client = await connectRaw(started.gateway.port);
    const id = ['x-request-id: gone-1'];
    client.send(rawPost('/execute', '{"query":"Orders","data":{"never":true}}', id));
    await until(() => unanswered() === 1);
    client.end();
    await until(() => unanswered() === 0);
    const answer: unknown = await (await execute({})).json();
    expect(Reflect.get(Object(answer), 'cancelled')).not.toHaveLength(0);
    expect(started.observations).toContainEqual({
      kind: 'request',
      request: expect.objectContaining({ requestId: 'gone-1', status: 499 }),
    });
  });

  it('cancels a stream when its reader disconnects', async () => {
    const controller = new AbortController();
    const response = await execute({ stream: 500 * MIB }, 'Orders', { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await until(() => unanswered() === 0);
  });

  it('sends a plan again to a worker that no longer has it', async () => {
    await execute({}, 'Orders.forgotten');
    const answer: unknown = await (await execute({ forget: true }, 'Orders.forgotten')).json();
    // The fake worker drops the plan at each of these requests, so the second attempt fails, too.
    expect(answer).toMatchObject({ status: 500, code: 'internal' });
    const after: unknown = await (await execute({}, 'Orders.forgotten')).json();
    expect(after).toMatchObject({ planSent: true });
  });

  it('sends the plans of a transaction once, and again to a worker that no longer has one', async () => {
    const send = async (data: unknown) => {
      const steps = [
        { query: 'Orders.first', data },
        { query: 'Orders.second', data: {} },
        { query: 'Orders.first', data: {} },
      ];
      const answer: unknown = await (await postJson(`${started.base}/transaction`, steps)).json();
      const sent: readonly object[] = Reflect.get(Object(answer), 'steps');
      return sent.map((step) => Reflect.get(step, 'planSent'));
    };
    expect(await send({})).toEqual([true, true, false]);
    expect(await send({})).toEqual([false, false, false]);
    expect(await send({ forget: true })).toEqual([true, true, false]);
    expect(await send({})).toEqual([false, false, false]);
    expect(unanswered()).toBe(0);
  });

  it('compiles once for all requests that wait for the same expression', async () => {
    const before = started.gateway.counters().dispatcher.dispatched;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => execute({}, 'Orders.slow').then((answer) => answer.json())),
    );
    expect(new Set(answers.map((answer) => Reflect.get(Object(answer), 'planId'))).size).toBe(1);
    expect(started.gateway.counters().dispatcher.dispatched - before).toBe(21);
  });

  it('does not cache the failure of an expression', async () => {
    const before = started.gateway.counters().plans.entries;
    expect((await execute({}, 'syntax')).status).toBe(400);
    expect((await execute({}, 'syntax')).status).toBe(400);
    expect(started.gateway.counters().plans.entries).toBe(before);
  });

  it('answers many concurrent requests, each with its own data', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const answer: unknown = await (await execute({ index })).json();
        return Reflect.get(Object(answer), 'data');
      }),
    );
    expect(answers).toEqual(answers.map((_, index) => JSON.stringify({ index })));
  });

  it('imports a body as fast as the worker uses it', async () => {
    const body = randomBytes(8 * MIB);
    const response = await fetch(`${started.base}/stages/default/import`, { method: 'POST', body });
    const answer: unknown = await response.json();
    expect(answer).toMatchObject({ imported: [{ entity: sha1(body), rows: body.length }, {}] });
    const [, most] = Reflect.get(Object(answer), 'imported');
    // The window, plus what one read of the socket may add.
    expect(most.rows).toBeLessThanOrEqual(256 * 1024 + 512 * 1024);
  });

  it('imports a chunked body, and an empty one', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `${started.base}/stages/default/import`,
        { method: 'POST' },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject);
      sent.write('{"a":');
      setTimeout(() => sent.end('1}'), 20);
    });
    expect(answer).toContain(sha1(Buffer.from('{"a":1}')));
    const empty = await fetch(`${started.base}/stages/default/import`, { method: 'POST' });
    expect(await empty.text()).toContain(sha1(Buffer.from('')));
  });

  it('answers an import that fails while its body is still arriving', async () => {
    const response = await fetch(`${started.base}/stages/broken/import`, {
      method: 'POST',
      body: Buffer.alloc(4 * MIB, 97),
    });
    expect(await response.json()).toMatchObject({ status: 422, code: 'import-invalid' });
  });

  it('refuses an import into an unknown stage, and one that is not JSON', async () => {
    const importInto = (stage: string, type: string, coding = 'identity') =>
      fetch(`${started.base}/stages/${stage}/import`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': type, 'content-encoding': coding },
      });
    expect((await importInto('nope', 'application/json')).status).toBe(404);
    expect((await importInto('default', 'text/csv')).status).toBe(415);
    expect((await importInto('default', 'application/json', 'gzip')).status).toBe(415);
  });

  it('abandons an import whose client disconnects', async () => {
    const client = await connectRaw(started.gateway.port);
    client.send('POST /stages/default/import HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    await until(() => unanswered() === 1);
    client.end();
    await until(() => unanswered() === 0);
  });

  it.each([{ crash: true }, { throw: true }])(
    'answers 503 for a worker that is lost by %o, and serves on with a new one',
    async (order) => {
      const bystander = execute({ never: true });
      await until(() => unanswered() === 1);
      const [crashed, waiting] = await Promise.all([execute(order), bystander]);
      for (const response of [crashed, waiting]) {
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toBe('1');
        expect(await response.json()).toMatchObject({ code: 'worker-lost' });
      }
      await until(() => started.gateway.counters().dispatcher.workers === 1);
      expect(await (await execute({})).json()).toMatchObject({ planSent: true });
    },
  );
});

describeServers('a worker that is lost on %s', (server) => {
  it('reports the outcome of a write as unknown, so that it is not repeated', async () => {
    const { gateway, base } = await startOnFakeWorker(server);
    const send = (query: string, data: unknown) => postJson(`${base}/execute`, { query, data });
    const crashed = await send('Orders.insert', { crash: true });
    expect(await crashed.json()).toMatchObject({ status: 503, code: 'outcome-unknown' });
    expect(crashed.headers.get('retry-after')).toBeNull();
    await gateway.close();
  });
});

describeServers('the bounds of a gateway on %s', (server) => {
  it('answers 503 while too many requests are unanswered, and recovers', async () => {
    const { gateway, base } = await startOnFakeWorker(server, ['--queue-max', '2']);
    const send = (data: unknown, signal?: AbortSignal) =>
      postJson(`${base}/execute`, { query: 'Orders', data }, signal && { signal });
    await send({});
    const controller = new AbortController();
    const stuck = [1, 2].map(() => send({ never: true }, controller.signal).catch(() => {}));
    await until(() => gateway.counters().dispatcher.unanswered === 2);
    const refused = await send({});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ code: 'queue-full' });
    controller.abort();
    await Promise.all(stuck);
    await until(() => gateway.counters().dispatcher.unanswered === 0);
    expect((await send({})).status).toBe(200);
    await gateway.close();
  });

  it('refuses the requests of a plan for a moment after its worker refused one', async () => {
    const { gateway, base } = await startOnFakeWorker(server);
    const send = (data: unknown) => postJson(`${base}/execute`, { query: 'Orders', data });
    await send({});
    const { dispatched } = gateway.counters().dispatcher;
    let asked = 0;
    const isRefusedAgain = async () => {
      asked += 2;
      await send({ fail: 'queue-full' });
      return (await send({})).status === 503;
    };
    // The second request may be too late.
    while (!(await isRefusedAgain()));
    expect(gateway.counters().dispatcher.dispatched).toBeLessThan(dispatched + asked);
    await sleep(20);
    expect((await send({})).status).toBe(200);
    await gateway.close();
  });

  it.each([
    [{ spin: true }, ['--worker-stall-ms', '1000'], 'took no message'],
    [{ hoard: true }, ['--worker-heap-max', '64MiB'], 'memory'],
  ])('replaces a worker that %o', async (order, flags, reason) => {
    const { gateway, base, observations } = await startOnFakeWorker(server, flags);
    const send = (data: unknown) => postJson(`${base}/execute`, { query: 'Orders', data });
    const lost = await send(order);
    expect(await lost.json()).toMatchObject({ status: 503, code: 'worker-lost' });
    await until(() => gateway.counters().dispatcher.workers === 1);
    expect((await send({})).status).toBe(200);
    const observed = observations.find(({ kind }) => kind === 'worker-lost');
    expect(observed).toMatchObject({ cause: { message: expect.stringContaining(reason) } });
    await gateway.close();
  });

  it('counts each request that is unanswered past its limits once', async () => {
    const limits = ['statement-timeout-ms', 'transaction-timeout-ms', 'queue-wait-ms'];
    const flags = limits.flatMap((limit) => [`--${limit}`, '1']);
    const { gateway, base, observations } = await startOnFakeWorker(server, flags);
    const overdue = () => gateway.counters().dispatcher.overdue;
    const controller = new AbortController();
    const send = (data: unknown) =>
      postJson(`${base}/execute`, { query: 'Orders', data }, { signal: controller.signal });
    // A streamed answer takes as long as its reader.
    const stream = await send({ stream: 100 * MIB });
    const stuck = [1, 2].map(() => send({ never: true }).catch(() => {}));
    await until(() => overdue() === 2);
    const late = send({ never: true }).catch(() => {});
    await until(() => overdue() === 3);
    const entries = observations.filter(({ kind }) => kind === 'overdue');
    expect(entries.map((each) => Reflect.get(each, 'requests'))).toEqual([2, 1]);
    // The fake worker does not report its counters, so they are missing.
    const metrics = await (await fetch(`${base}/metrics`)).text();
    expect(metrics).toContain('\nrowgate_requests_overdue_total 3\n');
    controller.abort();
    await Promise.all([...stuck, late, stream.text().catch(() => {})]);
    await gateway.close();
  });

  it('limits the bytes of an import, announced or not', async () => {
    const { gateway, base } = await startOnFakeWorker(server, ['--import-body-max', '64KiB']);
    const refused = await fetch(`${base}/stages/default/import`, {
      method: 'POST',
      body: Buffer.alloc(65_537, 97),
    });
    expect(refused.status).toBe(413);
    const client = await connectRaw(gateway.port);
    const head =
      'POST /stages/default/import HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
    client.send(`${head}10001\r\n${'x'.repeat(65_537)}\r\n0\r\n\r\n`);
    await client.until((text) => text.startsWith('HTTP/1.1 413'));
    client.end();
    await until(() => gateway.counters().dispatcher.unanswered === 0);
    await gateway.close();
  });

  it('answers the requests in flight when it stops, and none after that', async () => {
    const { gateway, base, observations } = await startOnFakeWorker(server);
    const pending = postJson(`${base}/execute`, { query: 'Orders.slow' });
    await until(() => gateway.counters().dispatcher.unanswered === 1);
    const closed = gateway.close();
    expect((await pending).status).toBe(200);
    await closed;
    await expect(fetch(`${base}/ping`)).rejects.toThrow();
    expect(observations.at(-1)).toEqual({ kind: 'stopped' });
  });

  it('stops at its drain time, even if a request is stuck', async () => {
    const { gateway, base } = await startOnFakeWorker(server, ['--drain-timeout-ms', '200']);
    const stuck = postJson(`${base}/execute`, { query: 'Orders', data: { never: true } }).then(
      (response) => response.status,
      () => 'cut',
    );
    await until(() => gateway.counters().dispatcher.unanswered === 1);
    const startedAt = performance.now();
    await gateway.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect([503, 'cut']).toContain(await stuck);
  });

  it('reports on readyz that it is stopping', async () => {
    const { gateway } = await startOnFakeWorker(server, ['--drain-timeout-ms', '2000']);
    const client = await connectRaw(gateway.port);
    client.send(rawPost('/execute', '{"query":"Orders.slow"}'));
    const waiting = await connectRaw(gateway.port);
    await until(() => gateway.counters().dispatcher.unanswered === 1);
    waiting.send('GET /readyz HTTP/1.1\r\nhost: x\r\n');
    await sleep(5);
    const closed = gateway.close();
    waiting.send('\r\n');
    const text = await waiting.until((received) => received.includes('\r\n\r\n'));
    expect(text).toMatch(/^HTTP\/1\.1 503/);
    expect(text).toMatch(/connection: close/i);
    client.end();
    waiting.end();
    await closed;
  });

  it('goes on answering for a while before it stops, if configured', async () => {
    const { gateway, base } = await startOnFakeWorker(server, ['--drain-delay-ms', '1500']);
    const closed = gateway.close();
    for (let times = 0; times < 3; times += 1) {
      const client = await connectRaw(gateway.port);
      client.send('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
      await client.until((text) => text.startsWith('HTTP/1.1 503') && text.includes('draining'));
      client.send(rawPost('/execute', '{"query":"Orders"}'));
      const text = await client.until((received) => received.includes('"planId"'));
      expect(text).not.toMatch(/connection: close/i);
      client.end();
    }
    await closed;
    await expect(fetch(`${base}/ping`)).rejects.toThrow();
  });

  it('puts another schema in force', async () => {
    const { gateway, base } = await startOnFakeWorker(server);
    const { sampleSchema } = await import('./sample-schema.js');
    const versionOf = async () => (await fetch(`${base}/schema/version`)).json();
    const domain = { ...sampleSchema.domain, version: '2.0.0' };
    await gateway.reload(loadSchema({ ...sampleSchema, domain }));
    expect(await versionOf()).toEqual({ version: '2.0.0' });
    const answer = await postJson(`${base}/execute`, { query: 'Orders' });
    expect(answer.status).toBe(200);
    await gateway.close();
  });

  it('starts nothing if its port is in use', async () => {
    const { gateway } = await startOnFakeWorker(server);
    await expect(startOnFakeWorker(server, ['--port', String(gateway.port)])).rejects.toThrow(
      String(gateway.port),
    );
    await gateway.close();
  });
});

function sha1(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** The bytes that the fake worker sends. */
function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >> 11)) & 0xff;
  return bytes;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('the condition was not met in time');
    await sleep(2);
  }
}
