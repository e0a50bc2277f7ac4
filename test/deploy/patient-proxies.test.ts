/** How long the proxies of `deploy` wait, with a gateway that is a stand-in. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Proxy, type ProxyName, proxies, proxyFault, startProxy } from '../support/proxy.js';
import { until } from '../support/program.js';

/** Requests by POST take longer than the limit of the proxies for queries. */
const gateway = createServer(({ method }, answer) => {
  setTimeout(() => answer.end('ok'), method === 'POST' ? 2000 : 0);
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
  });
}

/** uWebSockets.js closes a connection after at least this time without a request. */
const CLOSED_AFTER_S = 8;

test.each([
  ['deploy/nginx.conf', /^ +keepalive_timeout (\d+)s;$/m],
  ['README.md', /^ +keepalive_timeout (\d+)s;$/m],
  ['deploy/Caddyfile', /^\t+keepalive (\d+)s$/m],
  // HAProxy closes a single unused connection after about three of these intervals.
  ['deploy/haproxy.cfg', / pool-purge-delay (\d+)s$/m],
])('%s lets the proxy close unused connections before Rowgate does', (path, setting) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const intervals = path.endsWith('haproxy.cfg') ? 3 : 1;
  const [, seconds] = setting.exec(text) ?? [];
  expect(intervals * Number(seconds)).toBeLessThan(CLOSED_AFTER_S);
});
