/** Requests that have begun before the schema is reloaded: they are answered, however long they take. */
import { expect, it } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { describeServers } from '../support/http-servers.js';
import { connectRaw, rawPost } from './raw-client.js';
import { sampleSchema } from './sample-schema.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { until } from './until.js';

const MIB = 1 << 20;
const LARGE_BYTES = 24 * MIB;
/** Long after this, requests of the old schema must still be served. */
const DRAIN_MS = 50;

describeServers('a reload on %s', (server) => {
  const start = (drainMs = DRAIN_MS, workers = 1) =>
    startOnFakeWorker(server, ['--drain-timeout-ms', `${drainMs}`, '--workers', `${workers}`]);

  it.each(['/execute', '/stages/default/import'])(
    'answers a POST %s that has sent a part',
    async (path) => {
      const started = await start();
      const { gateway } = started;
      const client = await connectRaw(gateway.port);
      const request = rawPost(path, JSON.stringify(order({})));
      client.send(request.slice(0, -10));
      // When this is answered, the first part of the request has arrived.
      await versionOf(started);
      await reload(gateway);
      await pass(20 * DRAIN_MS);
      client.send(request.slice(-10));
      expect(await client.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
      client.end();
      await gateway.close();
    },
  );

  it('sends a streamed answer to its end', async () => {
    const { gateway, base } = await start();
    const response = await postJson(`${base}/execute`, order({ stream: LARGE_BYTES }));
    await reload(gateway);
    await pass(20 * DRAIN_MS);
    expect((await response.arrayBuffer()).byteLength).toBe(LARGE_BYTES);
    await gateway.close();
  });

  it('changes nothing if no worker of the new schema starts', async () => {
    const started = await start();
    const { gateway, base } = started;
    await expect(reload(gateway, '0.0.4')).rejects.toThrow('do not start');
    expect(await versionOf(started)).toEqual({ version: '1.2.3' });
    expect((await postJson(`${base}/execute`, order({}))).status).toBe(200);
    expect(gateway.counters().dispatcher.workers).toBe(1);
    await reload(gateway);
    expect(await versionOf(started)).toEqual({ version: '2.0.0' });
    await gateway.close();
  });

  it('tries again if the first worker fails while it starts', async () => {
    const started = await start();
    const version = `0.4.${Date.now() + 400}`;
    await reload(started.gateway, version);
    expect(await versionOf(started)).toEqual({ version });
    await started.gateway.close();
  });

  it('ends the workers of the old schema that no request needs', async () => {
    const { gateway } = await start(DRAIN_MS, 3);
    const workers = () => gateway.counters().dispatcher.workers;
    const [reader, sender] = [await connectRaw(gateway.port), await connectRaw(gateway.port)];
    reader.socket.once('data', () => reader.socket.pause());
    reader.send(rawPost('/execute', JSON.stringify(order({ stream: 500 * MIB }))));
    const request = rawPost('/execute', JSON.stringify(order({})));
    sender.send(request.slice(0, -10));
    await reader.until((text) => text.startsWith('HTTP/1.1 200'));
    await until(() => workers() === 3);
    await reload(gateway);
    await until(() => workers() === 4);
    reader.end();
    sender.send(request.slice(-10));
    expect(await sender.until((text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
    sender.end();
    await until(() => workers() === 3);
    expect(gateway.counters().dispatcher.workersLost).toBe(0);
    await gateway.close();
  });

  it('does not wait for the requests of earlier schemas, and a stop ends them', async () => {
    const started = await start(500);
    const { gateway } = started;
    const client = await connectRaw(gateway.port);
    client.socket.once('data', () => client.socket.pause());
    client.send(rawPost('/execute', JSON.stringify(order({ stream: 500 * MIB }))));
    await client.until((text) => text.startsWith('HTTP/1.1 200'));
    for (const version of ['2.0.0', '3.0.0']) {
      await reload(gateway, version);
      expect(await versionOf(started)).toEqual({ version });
    }
    const startedAt = performance.now();
    await gateway.close();
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    client.end();
  });
});

function order(data: unknown) {
  return { query: 'Orders', data };
}

function reload(gateway: Gateway, version = '2.0.0'): Promise<void> {
  return gateway.reload(
    loadSchema({ ...sampleSchema, domain: { ...sampleSchema.domain, version } }),
  );
}

async function versionOf({ base }: StartedGateway): Promise<unknown> {
  return (await fetch(`${base}/schema/version`)).json();
}

function pass(ms: number): Promise<void> {
  const end = performance.now() + ms;
  return until(() => performance.now() > end);
}
