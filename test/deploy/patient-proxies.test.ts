/** How long the proxies of `deploy` wait, with a gateway that is a stand-in. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Proxy, type ProxyName, proxies, proxyFault, startProxy } from '../support/proxy.js';
import { until } from '../support/program.js';

/** uWebSockets.js closes a connection after at least this time without a request. */
const CLOSED_AFTER_MS = 8000;

/** How long connections with a request for `/kept` had no request before they were closed. */
const unusedMs: number[] = [];
const lastUsedAt = new WeakMap<Socket, number>();
/** Requests by POST take longer than the limit of the proxies for queries. */
const gateway = createServer({ keepAliveTimeout: 60_000 }, ({ method, url, socket }, answer) => {
  lastUsedAt.set(socket, performance.now());
  setTimeout(() => answer.end('ok'), method === 'POST' ? 2000 : 100);
  if (url !== '/kept') return;
  socket.once('close', () => unusedMs.push(performance.now() - (lastUsedAt.get(socket) ?? 0)));
});
beforeAll(() => once(gateway.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});

for (const name of Object.keys(proxies) as ProxyName[]) {
  const fault = proxyFault(name);
  describe.runIf(fault === '')(`${name} with its file${fault}`, () => {
    let proxy: Proxy;
    beforeAll(async () => {
      const { port } = gateway.address() as AddressInfo;
      // The limit for queries is a minute; nothing else takes 60 s.
      proxy = await startProxy(name, port, (text) => text.replaceAll('60s', '1s'));
      await until('the proxy has found the gateway', async () => (await statusOf('/')) === 200);
    });
    afterAll(() => proxy.stop());

    const statusOf = async (path: string, method = 'GET') => {
      const answer = await fetch(proxy.base + path, { method });
      await answer.text();
      return answer.status;
    };

    test('waits for an import for longer than for a query', async () => {
      const status = await statusOf('/execute', 'POST');
      expect(status).toBe(name === 'Caddy' ? 200 : 504);
      expect(await statusOf('/stages/default/import', 'POST')).toBe(200);
    });

    test('closes an unused connection before Rowgate does', async () => {
      unusedMs.length = 0;
      // The checks of Caddy use one of its connections.
      const count = name === 'Caddy' ? 2 : 1;
      await Promise.all(Array.from({ length: count }, () => statusOf('/kept')));
      expect(await until('it is closed', () => unusedMs[0])).toBeLessThan(CLOSED_AFTER_MS);
    });
  });
}
