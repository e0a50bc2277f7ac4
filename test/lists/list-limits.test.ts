/** The limits of requests count the queries of a list. A worker without a database answers. */
import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { postJson, type StartedGateway, startOnFakeWorker } from '../http/start.js';
import { describeServers } from '../support/http-servers.js';

/** uWebSockets.js may notice only a second later that a client has disconnected. */
const LONG = { timeout: 10_000 };

let started: StartedGateway;
afterEach(() => started.gateway.close());

/** Sends a list from an address of the loopback interface, and returns the codes of its answers. */
function codesOf(from: string, list: readonly object[], signal?: AbortSignal) {
  return new Promise<readonly unknown[]>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: started.gateway.port,
      localAddress: from,
      method: 'POST',
      path: '/execute',
      headers: { 'content-type': 'application/json' },
      agent: false,
      ...(signal && { signal }),
    };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const answers = Object([JSON.parse(text)].flat());
        resolve(answers.map(({ code }: { readonly code?: string }) => code));
      });
    });
    sent.on('error', reject);
    const queries = list.map((data) => ({
      query: 'syntax' in data ? 'a syntax error' : 'Orders',
      data,
    }));
    sent.end(JSON.stringify(queries));
  });
}

describeServers('a list on %s', (server) => {
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, flags);
  };
  const unanswered = () => started.gateway.counters().dispatcher.unanswered;

  it('has no more queries than the option allows', async () => {
    await start('--execute-queries-max', '2');
    expect(await codesOf('127.0.0.1', [{}, {}])).toEqual([undefined, undefined]);
    expect(await codesOf('127.0.0.1', [{}, {}, {}])).toEqual(['too-many-queries']);
  });

  it('is limited to the rate of its address', async () => {
    await start('--rate-limit', '1', '--rate-burst', '3');
    const codes = await codesOf('127.0.0.2', Array(20).fill({}));
    expect(codes.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    // On a busy machine, the list may take some seconds, each of which allows one more.
    expect(codes.filter((code) => code === 'rate-limited').length).toBeGreaterThan(10);
    expect(await codesOf('127.0.0.3', [{}, {}])).toEqual([undefined, undefined]);
  });

  it('is limited, too, if its queries cannot be compiled', async () => {
    await start('--rate-limit', '1', '--rate-burst', '3');
    const codes = await codesOf('127.0.0.2', Array(20).fill({ syntax: false }));
    expect(codes.slice(0, 3)).toEqual(Array(3).fill('query-syntax'));
    expect(codes.filter((code) => code === 'rate-limited').length).toBeGreaterThan(10);
  });

  it('takes the share of its address only while others have requests, and only until it is answered', async () => {
    await start('--address-requests-max', '2');
    const client = new AbortController();
    codesOf('127.0.0.2', [{ never: true }], client.signal).catch(() => undefined);
    await expect.poll(unanswered, LONG).toBe(1);
    const codes = await codesOf('127.0.0.3', [{}, {}, {}, {}]);
    expect(codes).toEqual([undefined, undefined, 'rate-limited', 'rate-limited']);
    expect(await codesOf('127.0.0.3', [{}, {}])).toEqual([undefined, undefined]);
    const other = new AbortController();
    codesOf('127.0.0.3', [{ never: true }, { never: true }], other.signal).catch(() => undefined);
    await expect.poll(unanswered, LONG).toBe(3);
    expect(await codesOf('127.0.0.3', [{}])).toEqual(['rate-limited']);
    other.abort();
    await expect.poll(unanswered, LONG).toBe(1);
    expect(await codesOf('127.0.0.3', [{}, {}])).toEqual([undefined, undefined]);
    client.abort();
    await expect.poll(unanswered, LONG).toBe(0);
    expect(await codesOf('127.0.0.3', [{}, {}, {}, {}])).toEqual(Array(4).fill(undefined));
  });

  it.each([true, false])(
    'sends queries that got no connection once more, unless that would run listeners again (%s)',
    async (hasListeners) => {
      const listener = { name: 'audit', on: ['select'], before: 'true' };
      const application = hasListeners ? { listeners: [listener] } : undefined;
      started = await startOnFakeWorker(server, [], application);
      const late = { fail: 'queue-timeout' };
      expect(await codesOf('127.0.0.1', [late, late])).toEqual(['queue-timeout', 'queue-timeout']);
      const compiled = 1;
      expect(started.gateway.counters().dispatcher.dispatched - compiled).toBe(
        hasListeners ? 2 : 4,
      );
    },
  );

  it('does not count a query as cancelled that it stops to send it again', async () => {
    await start('--stream-window-bytes', '256KiB', '--streams-max', '1MiB');
    const { base } = started;
    const list = Array(4).fill({ query: 'Orders', data: { stream: 4 << 20 } });
    const { dispatched } = started.gateway.counters().dispatcher;
    await (await postJson(`${base}/execute`, list)).arrayBuffer();
    expect(started.gateway.counters().dispatcher.dispatched - dispatched).toBeGreaterThan(5);
    const stats: unknown = await (await fetch(`${base}/stats`)).json();
    expect(stats).toMatchObject({ plans: [{ calls: 4, cancelled: 0 }] });
  });

  it('fills the queue with its queries', async () => {
    await start('--queue-max', '3');
    expect(await codesOf('127.0.0.1', [{}, {}, {}, {}, {}])).toEqual([
      ...[undefined, undefined, undefined],
      ...['queue-full', 'queue-full'],
    ]);
  });

  it('has at most 64 queries in the workers at a time, and none after its client has disconnected', async () => {
    await start();
    const client = new AbortController();
    const list = Array.from({ length: 500 }, (_, index) => ({ never: index >= 100 }));
    codesOf('127.0.0.1', list, client.signal).catch(() => undefined);
    await expect.poll(unanswered, LONG).toBe(64);
    client.abort();
    await expect.poll(unanswered, LONG).toBe(0);
    expect(started.gateway.counters().dispatcher.dispatched).toBeLessThan(200);
  });

  it('has the problem of a query whose worker fails, and logs it', async () => {
    await start();
    expect(
      await codesOf('127.0.0.1', [{ fail: 'internal' }, {}, { fail: 'query-syntax' }]),
    ).toEqual([...['internal', undefined, 'query-syntax']]);
    const requests = started.observations.flatMap((each) =>
      each.kind === 'request' ? [[each.request.status, each.request.failure?.code]] : [],
    );
    expect(requests).toEqual([
      [500, 'internal'],
      [200, undefined],
    ]);
  });
});
