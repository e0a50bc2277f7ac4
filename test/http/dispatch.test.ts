import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRaw, rawPost } from './raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { until } from './until.js';

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

  it('reports the outcome of a read as unknown if a listener may have written', async () => {
    const listener = { name: 'reads', on: ['select'], condition: 'true' };
    const before = 'Orders.insert({name: "read"})';
    const application = { listeners: [{ ...listener, before }] };
    const { gateway, base } = await startOnFakeWorker(server, [], application);
    const crashed = await postJson(`${base}/execute`, { query: 'Orders', data: { crash: true } });
    expect(await crashed.json()).toMatchObject({ status: 503, code: 'outcome-unknown' });
    expect(crashed.headers.get('retry-after')).toBeNull();
    await gateway.close();
  });

  it('reports the outcome of an import as unknown if it has the whole body', async () => {
    const { gateway, base } = await startOnFakeWorker(server);
    const client = await connectRaw(gateway.port);
    client.send('POST /stages/default/import HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    await until(() => gateway.counters().dispatcher.unanswered === 1);
    const importing = { method: 'POST', body: Buffer.from('crash') };
    const crashed = await fetch(`${base}/stages/default/import`, importing);
    expect(await crashed.json()).toMatchObject({ status: 503, code: 'outcome-unknown' });
    expect(crashed.headers.get('retry-after')).toBeNull();
    // Nothing of the other one is stored.
    expect(await client.until((text) => text.includes('"code"'))).toContain('worker-lost');
    client.end();
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
