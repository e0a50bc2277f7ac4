/**
 * A client that sends nothing of its request, or takes too long for its head, is disconnected. One that
 * goes on sending its body is not, and neither is one that waits for the server.
 */
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import type { Exchange, HttpServer } from '../../src/gateway/http/exchange.js';
import { describeServersAtOnce } from '../support/http-servers.js';
import { connectRaw, type RawClient } from './raw-client.js';

/** Clearly more than the ten seconds that a client has. */
const LONG_MS = 16_000;
/** Less than the default of node:http, which is 60 seconds. */
const CUT_MS = 45_000;

const HEAD = 'POST /echo HTTP/1.1\r\nhost: x\r\n';
const PIECE = 'x'.repeat(1 << 18);

/** Beginnings of requests that never end. */
const beginnings: Readonly<Record<string, string>> = {
  nothing: '',
  'half a first line': 'PO',
  'half a head': HEAD,
  'half a body': `${HEAD}content-length: 10\r\n\r\nhalf`,
  'a body without its first byte': `${HEAD}content-length: 10\r\n\r\n`,
  'half a chunk': `${HEAD}transfer-encoding: chunked\r\n\r\n5\r\nab`,
  'no last chunk': `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`,
};

describeServersAtOnce('a client of %s', (name) => {
  let server: HttpServer;
  let port: number;

  beforeAll(async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 8000 };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  /** Answers with the size of the body. `/pause` pauses it for long, and `/work` answers late. */
  function handle(exchange: Exchange): void {
    let size = 0;
    let isPaused = exchange.path !== '/pause';
    exchange.onData((bytes, last) => {
      size += bytes.length;
      if (last) {
        const respond = () => exchange.respond(200, [], `[${size}]`);
        if (exchange.path === '/work') setTimeout(respond, LONG_MS);
        else respond();
      } else if (!isPaused) {
        isPaused = true;
        exchange.pause();
        setTimeout(() => exchange.resume(), LONG_MS);
      }
    });
  }

  /** Sends a piece at intervals, for long or until the connection is closed. */
  async function sendSteadily(client: RawClient, piece: string, everyMs: number): Promise<number> {
    const end = performance.now() + LONG_MS;
    let pieces = 0;
    while (performance.now() < end && !client.socket.destroyed) {
      client.send(piece);
      pieces += 1;
      await sleep(everyMs);
    }
    return pieces;
  }

  it.each(Object.entries(beginnings))('that sends %s is disconnected', async (_, beginning) => {
    const client = await connectRaw(port);
    if (beginning !== '') client.send(beginning);
    expect(await client.closed(CUT_MS)).toBe('');
  });

  it('that was refused and does not close its side is disconnected', async () => {
    const socket = createConnection({ host: '127.0.0.1', port, allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(`${HEAD}content-length: -1\r\n\r\n`);
    await once(socket, 'end');
    const end = performance.now() + CUT_MS;
    while (!socket.destroyed && performance.now() < end) {
      socket.write('x');
      await sleep(500);
    }
    expect(socket.destroyed).toBe(true);
  });

  it('that sends half of a second head is disconnected', async () => {
    const client = await connectRaw(port);
    client.send(`${HEAD}content-length: 1\r\n\r\n1`);
    await client.until((text) => text.endsWith('[1]'));
    client.send(HEAD);
    expect(await client.closed(CUT_MS)).toMatch(/^HTTP\/1\.1 200 [^]*\[1\]$/);
  });

  it('that sends its head byte by byte for long is disconnected', async () => {
    const client = await connectRaw(port);
    client.send(`${HEAD}x-a: `);
    await sendSteadily(client, 'a', 500);
    expect(await client.closed(CUT_MS)).toBe('');
  });

  it('that sends a large body for long is answered', async () => {
    const client = await connectRaw(port);
    client.send(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `${PIECE.length.toString(16)}\r\n${PIECE}\r\n`;
    const pieces = await sendSteadily(client, chunk, 200);
    client.send('0\r\n\r\n');
    await client.until((text) => text.endsWith(`[${pieces * PIECE.length}]`));
    client.end();
  });

  // uWebSockets.js expects 160 KiB in ten seconds.
  it.each(name === 'node' ? ['a body'] : [])('that sends %s byte by byte is answered', async () => {
    const client = await connectRaw(port);
    client.send(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    const pieces = await sendSteadily(client, '1\r\nx\r\n', 500);
    client.send('0\r\n\r\n');
    await client.until((text) => text.endsWith(`[${pieces}]`));
    client.end();
  });

  it('whose body the server pauses for long is answered', async () => {
    const client = await connectRaw(port);
    client.send('POST /pause HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na');
    const sent = sleep(LONG_MS / 2).then(() => client.send('b'));
    await client.until((text) => text.endsWith('[2]'), 2 * LONG_MS + CUT_MS);
    await sent;
    client.end();
  });

  it('that waits long for its answer gets it', async () => {
    const client = await connectRaw(port);
    client.send('POST /work HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\na');
    await client.until((text) => text.endsWith('[1]'), LONG_MS + CUT_MS);
    client.end();
  });
});
