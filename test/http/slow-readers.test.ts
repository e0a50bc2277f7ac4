/**
 * How long a server waits for a slow reader: it counts what the reader takes, not what the system
 * buffers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import type { Exchange, HttpServer } from '../../src/gateway/http/exchange.js';
import { readAtSpeed } from '../support/pausing-reader.js';
import { connectRaw } from './raw-client.js';
import { describeServersAtOnce } from '../support/http-servers.js';

/** More than the ten-second timeout of uWebSockets.js. */
const STALL_MS = 20_000;
const SLOW_MS = 27_000;
const PART_BYTES = 60_000;

/** More than the system accepts at once. */
const large = Buffer.alloc(6 << 20);
for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(at, at);

describeServersAtOnce('a slow reader on %s', (name) => {
  let server: HttpServer;
  let port: number;
  const aborted: string[] = [];

  beforeAll(async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: STALL_MS };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  function handle(exchange: Exchange): void {
    exchange.onAbort(() => aborted.push(`${exchange.path}?${exchange.query}`));
    if (exchange.path === '/whole') setImmediate(() => exchange.respond(200, [], large));
    else if (exchange.path === '/idle') setImmediate(() => streamWithRest(exchange));
    else setImmediate(() => stream(exchange));
  }

  function stream(exchange: Exchange): void {
    const answer = exchange.stream(200, []);
    let at = 0;
    const send = () => {
      answer.write(large.subarray(at, (at += PART_BYTES)), send);
      if (at >= large.length) answer.end();
    };
    send();
  }

  /** Streams one half, does nothing for a long time, and streams the rest. */
  function streamWithRest(exchange: Exchange): void {
    const answer = exchange.stream(200, []);
    const half = large.length / 2;
    answer.write(large.subarray(0, half), () => {
      setTimeout(() => {
        answer.write(large.subarray(half));
        answer.end();
      }, STALL_MS);
    });
  }

  /** Sends a request, and reads nothing of the answer. */
  async function ask(path: string) {
    const client = await connectRaw(port);
    client.socket.pause();
    client.send(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return client;
  }

  const readPath = (path: string, bytesPerSecond: number, forMs: number) =>
    readAtSpeed({ port, method: 'GET', path, expected: large }, { bytesPerSecond, forMs });

  it('gets every byte', () =>
    Promise.all([
      readPath('/stream', 50_000, SLOW_MS),
      readPath('/stream', 30_000, SLOW_MS),
      readPath('/whole', 50_000, SLOW_MS),
      readPath('/whole', 30_000, SLOW_MS),
      readPath('/idle', 1_000_000, 1000),
    ]));

  const paths = ['/stream', '/whole'];

  it('that reads nothing is disconnected after the configured time', async () => {
    const cutAfterMs = async (path: string) => {
      const begin = performance.now();
      const client = await ask(path);
      while (!aborted.includes(path)) await sleep(20);
      client.end();
      return performance.now() - begin;
    };
    for (const ms of await Promise.all(paths.map((path) => cutAfterMs(`${path}?stalled`)))) {
      expect(ms).toBeGreaterThan(STALL_MS);
      expect(ms).toBeLessThan(1.6 * STALL_MS);
    }
  });

  it('that disconnects after a long pause is noticed at once', async () => {
    const leave = async (path: string) => {
      const client = await ask(path);
      await sleep(0.8 * STALL_MS);
      expect(aborted).not.toContain(path);
      client.end();
      const begin = performance.now();
      while (!aborted.includes(path)) await sleep(5);
      expect(performance.now() - begin).toBeLessThan(0.18 * STALL_MS);
    };
    await Promise.all(paths.map((path) => leave(`${path}?left`)));
  });
});
