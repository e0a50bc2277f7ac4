import { afterEach, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';

let started: StartedGateway;
afterEach(() => started.gateway.close());

const PAGE = 'https://app.example.com';
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');

describeServers('a page of another origin, on %s', (server) => {
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, flags);
  };
  const get = (path: string, origin: string, method = 'GET') =>
    fetch(started.base + path, { method, headers: { origin } });

  it('may not read answers unless it is allowed', async () => {
    await start();
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await get('/ping', PAGE, method);
      expect([...headers.keys()].filter((name) => /^access-|^vary/.test(name))).toEqual([]);
    }
  });

  it('may read every answer if its origin is allowed', async () => {
    await start('--cors-origins', `https://other.example, ${PAGE}`);
    const query = { query: 'Orders', data: { large: 300_000 } };
    const headers = { origin: PAGE, 'content-type': 'application/json' };
    for (const data of [{}, { large: 300_000 }, { stream: 300_000 }, { fail: 'queue-full' }]) {
      const answer = await postJson(`${started.base}/execute`, { ...query, data }, { headers });
      await answer.arrayBuffer();
      expect(allowed(answer)).toBe(PAGE);
      expect(answer.headers.get('vary')).toMatch(/origin/);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-request-id/);
    }
    expect(allowed(await get('/nothing', PAGE))).toBe(PAGE);
    const other = await get('/ping', 'https://evil.example');
    expect([allowed(other), other.headers.get('vary')]).toEqual([null, 'origin']);
  });

  it.each(['/execute', '/transaction', '/explain', '/stages/default/import'])(
    'may not send a body without a type to %s, for which browsers ask nobody',
    async (path) => {
      await start('--cors-origins', PAGE);
      // A body of bytes gets no type.
      const body = Buffer.from(JSON.stringify({ query: 'Orders' }));
      const status = async (headers: Record<string, string>) =>
        (await fetch(started.base + path, { method: 'POST', body, headers })).status;
      const type = { 'content-type': 'application/json' };
      for (const origin of ['https://evil.example', 'null', started.base]) {
        expect(await status({ origin })).toBe(415);
        expect(await status({ origin, ...type })).not.toBe(415);
      }
      expect(await status({ origin: PAGE })).not.toBe(415);
      expect(await status({})).not.toBe(415);
    },
  );

  it('learns in a preflight what it may send', async () => {
    await start('--cors-origins', '*');
    const answer = await get('/execute', PAGE, 'OPTIONS');
    expect([answer.status, allowed(answer)]).toEqual([204, '*']);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, DELETE');
    expect(answer.headers.get('access-control-allow-headers')).toMatch(/content-type/);
    expect(answer.headers.get('vary')).toBeNull();
  });
});

it('refuses an invalid origin', async () => {
  for (const wrong of ['example.com', 'https://example.com/', '']) {
    await expect(startOnFakeWorker('node', ['--cors-origins', wrong])).rejects.toThrow(
      '--cors-origins',
    );
  }
  started = await startOnFakeWorker('node');
});
