/** The files of `deploy` for reverse proxies, each run by its program in front of a gateway. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Proxy, type ProxyName, proxies, proxyFault, startProxy } from '../support/proxy.js';
import type { Program } from '../support/program.js';
import { until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

const names = Object.keys(proxies) as ProxyName[];

for (const name of names) {
  const fault = proxyFault(name);
  describe.runIf(fault === '')(`${name} with its file${fault}`, () => {
    suite(name);
  });
}

function suite(name: ProxyName): void {
  let program: Program;
  let proxy: Proxy;
  beforeAll(async () => {
    const flags = ['--trusted-proxies', '127.0.0.1', '--access-log', 'on'];
    program = await server.start(['--workers', '1', ...flags, '--drain-delay-ms', '60000']);
    proxy = await startProxy(name, program.port);
    await until('the proxy has found the gateway', async () => (await ask('/ping')).status === 200);
  });
  afterAll(async () => {
    await proxy.stop();
    program.signal('SIGKILL');
    await program.ended;
  });

  /** On a very busy machine, a proxy may find the gateway unready for a moment. */
  const ask = async (path: string, init?: RequestInit): Promise<Response> => {
    let answer = await fetch(proxy.base + path, init);
    await until('the gateway is found ready', async () => {
      if (![502, 503].includes(answer.status)) return true;
      answer = await fetch(proxy.base + path, init);
      return false;
    });
    return answer;
  };
  const execute = (query: string, headers: Readonly<Record<string, string>> = {}, data = {}) =>
    ask('/execute', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, data }),
    });

  test('answers requests of several clients at once, and errors unchanged', async () => {
    const clients = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 20; count += 1) {
        const answer = await execute('Shippers.count()');
        expect([answer.status, await answer.text()]).toEqual([200, '[{"count":4}]']);
      }
    });
    await Promise.all(clients);
    const refused = await execute('Nope');
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      400,
      'application/problem+json',
    ]);
  });

  test('passes on a streamed answer unchanged', async () => {
    const path = '/stages/default/export';
    const hashOf = async (answer: Response) =>
      createHash('sha256')
        .update(new Uint8Array(await answer.arrayBuffer()))
        .digest('hex');
    const direct = await hashOf(await fetch(program.base + path));
    expect(await hashOf(await ask(path))).toBe(direct);
  });

  test('passes on the longest cursors', async () => {
    const query = 'Shippers.sort(s=>[rpad(s.phone, 4400, "x"), s.id]).after(cursor).take(2)';
    const answer = await execute(query, {}, { cursor: null });
    const [, cursor = ''] = /cursor="(.*)"/.exec(answer.headers.get('link') ?? '') ?? [];
    expect([answer.status, cursor.length > 5800]).toEqual([200, true]);
  });

  test('passes on the address of the client, whatever its headers claim, and the id of the request', async () => {
    const answer = await execute('Shippers.count()', { 'x-forwarded-for': '203.0.113.9' });
    const id = answer.headers.get('x-request-id');
    const logged = await until('the request is logged', () =>
      program.log.find(({ requestId }) => requestId === id),
    );
    expect(logged).toMatchObject({ address: '127.0.0.1' });
  });

  test('refuses a body that is too large', async () => {
    const body = JSON.stringify({ query: 'Shippers', data: { x: 'y'.repeat(17 << 20) } });
    const headers = { 'content-type': 'application/json' };
    const status = await ask('/execute', { method: 'POST', headers, body }).then(
      (answer) => answer.status,
      // A proxy may close the connection before the whole body is there.
      () => 413,
    );
    expect(status).toBe(413);
  });
}
