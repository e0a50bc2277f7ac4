import { type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

/** uWebSockets.js may notice only a second later that a client has disconnected. */
const LONG = { timeout: 10_000 };

let started: StartedGateway;
afterEach(() => started.gateway.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request from an address of the loopback interface. */
function ask(
  path: string,
  from: string,
  headers: Readonly<Record<string, string | string[]>> = {},
  { body, ...more }: { readonly body?: string; readonly signal?: AbortSignal } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const place = { host: '127.0.0.1', port: started.gateway.port, localAddress: from };
    const method = body === undefined ? 'GET' : 'POST';
    const options = { ...place, ...more, method, path, headers, agent: false };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const { statusCode: status, headers: received } = response;
      response.on('end', () => resolve({ status, headers: received, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function execute(from: string, data: unknown, signal: AbortSignal): Promise<Answer> {
  const body = JSON.stringify({ query: 'Orders', data });
  return ask('/execute', from, { 'content-type': 'application/json' }, { body, signal });
}

describeServers('the address of a client on %s', (server) => {
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, flags);
  };
  const logged = () =>
    started.observations.flatMap((each) => (each.kind === 'request' ? [each.request.address] : []));

  it('is the address of its connection, whatever its headers claim', async () => {
    await start();
    await ask('/ping', '127.0.0.2', { 'x-forwarded-for': '10.9.9.9' });
    expect(logged()).toEqual(['127.0.0.2']);
  });

  it('is the one reported by trusted proxies, as far back as they are trusted', async () => {
    await start('--trusted-proxies', '127.0.0.8/30, 10.0.0.1,2001:db8::/32');
    const via = (...hops: string[]) => ask('/ping', '127.0.0.9', { 'x-forwarded-for': hops });
    await via('203.0.113.7');
    await via('198.51.100.1, 203.0.113.7, 10.0.0.1');
    await via('198.51.100.1', '203.0.113.8, 2001:DB8::0:1');
    await via('2001:0db9:0:0::0001');
    await via('nonsense');
    await ask('/ping', '127.0.0.2', { 'x-forwarded-for': '203.0.113.7' });
    const forwarded = ['203.0.113.7', '203.0.113.7', '203.0.113.8', '2001:db9::1'];
    expect(logged()).toEqual([...forwarded, '127.0.0.9', '127.0.0.2']);
  });

  it.each([
    ['203.0.113.7:4444', '203.0.113.7'],
    ['"203.0.113.7:4444"', '203.0.113.7'],
    ['[2001:db8:0::1]:77', '2001:db8::1'],
    ['"[2001:db8::1]"', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:77', '203.0.113.7'],
    ['198.51.100.1:1, 203.0.113.7:2, [2001:db9::1]:3', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['203.0.113.7:x', '127.0.0.9'],
    ['[2001:db8::1', '127.0.0.9'],
  ])('is read from a proxy that writes %s', async (hops, address) => {
    await start('--trusted-proxies', '127.0.0.9,2001:db9::/32');
    await ask('/ping', '127.0.0.9', { 'x-forwarded-for': hops });
    expect(logged()).toEqual([address]);
  });

  it('has a rate limit with a window of at least one second in its headers', async () => {
    await start('--rate-limit', '1000', '--rate-burst', '100');
    const { headers } = await ask('/ping', '127.0.0.2');
    expect(headers).toMatchObject({ 'ratelimit-policy': '"address";q=1000;w=1' });
  });

  it('can send as many requests as its limit allows, independently of other addresses', async () => {
    await start('--rate-limit', '1', '--rate-burst', '3');
    const answers = [];
    for (let times = 0; times < 4; times += 1) answers.push(await ask('/ping', '127.0.0.2'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const [first, , , last] = answers;
    expect(first?.headers).toMatchObject({
      'ratelimit-policy': '"address";q=3;w=3',
      ratelimit: '"address";r=2;t=1',
    });
    expect(last?.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"address";r=0;t=1' });
    expect(JSON.parse(last?.text ?? '')).toMatchObject({ status: 429, code: 'rate-limited' });
    expect((await ask('/ping', '127.0.0.3')).status).toBe(200);
    expect((await ask('/livez', '127.0.0.2')).status).toBe(200);
    await expect.poll(() => ask('/ping', '127.0.0.2').then(({ status }) => status), LONG).toBe(200);
  });

  it('shares its limit with the other addresses of its IPv6 network', async () => {
    await start('--rate-limit', '1', '--rate-burst', '1', '--trusted-proxies', '127.0.0.1');
    const statusOf = async (address: string) =>
      (await ask('/ping', '127.0.0.1', { 'x-forwarded-for': address })).status;
    expect(await statusOf('2001:db8:1::1')).toBe(200);
    expect(await statusOf('2001:db8:1::2')).toBe(429);
    expect(await statusOf('2001:db8:1:1::1')).toBe(200);
  });

  it('can use all capacity while no other address sends requests, and only its share otherwise', async () => {
    await start('--address-requests-max', '2');
    const clients = new AbortController();
    const run = (from: string, data: unknown) => execute(from, data, clients.signal);
    const unanswered = () => started.gateway.counters().dispatcher.unanswered;
    const hold = async (from: string) => {
      const before = unanswered();
      run(from, { never: true }).catch(() => undefined);
      await expect.poll(unanswered, LONG).toBe(before + 1);
    };
    for (let times = 0; times < 3; times += 1) await hold('127.0.0.2');
    await hold('127.0.0.3');
    expect((await run('127.0.0.2', {})).status).toBe(429);
    expect((await run('127.0.0.3', {})).status).toBe(200);
    clients.abort();
    await expect.poll(unanswered, LONG).toBe(0);
    const others = new AbortController();
    for (const from of ['127.0.0.3', '127.0.0.2']) {
      execute(from, { never: true }, others.signal).catch(() => undefined);
    }
    await expect.poll(unanswered, LONG).toBe(2);
    expect((await execute('127.0.0.2', {}, others.signal)).status).toBe(200);
    others.abort();
  });
});

it('refuses an invalid address', async () => {
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/8/9', '::1/x', '']) {
    const flags = ['--trusted-proxies', wrong];
    await expect(startOnFakeWorker('node', flags)).rejects.toThrow('--trusted-proxies');
  }
  started = await startOnFakeWorker('node');
});
