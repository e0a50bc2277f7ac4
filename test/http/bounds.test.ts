/** How many requests a gateway takes, how long it lets its workers run, and how it starts, reloads and stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { describeServers } from '../support/http-servers.js';
import { connectRaw, rawPost } from './raw-client.js';
import { postJson, startOnFakeWorker } from './start.js';
import { until } from './until.js';

const MIB = 1024 * 1024;

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
