import { createHash, randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import { EMPTY_HEADER, type Exchange, type HttpServer } from '../../src/gateway/http/exchange.js';
import { DROPPED_BYTES_MAX, streamBody } from '../../src/gateway/http/read-body.js';
import { readWhole } from './read-whole.js';
import { connectRaw, rawPost } from './raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { until } from './until.js';

const MIB = 1024 * 1024;
const BODY_MAX = 256 * 1024;
const large = randomBytes(50 * MIB);
const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');
const largeHash = sha1(large);

/** Enough time for a client to disconnect. */
const LATE_MS = 300;

describeServers('the HTTP server on %s', (name) => {
  /** The number of late answers. */
  let late = 0;
  let server: HttpServer;
  let port: number;
  const aborted: string[] = [];
  let kept: Exchange | undefined;

  beforeAll(async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 8000 };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  function handle(exchange: Exchange): void {
    exchange.onAbort(() => aborted.push(exchange.path));
    switch (exchange.path) {
      case '/echo':
      case '/echo-later':
        readWhole(exchange, BODY_MAX, (bytes) => {
          if (bytes === undefined) exchange.respond(413, [], 'too large');
          else if (exchange.path === '/echo') exchange.respond(200, [], new Uint8Array(bytes));
          else respondLater(exchange, Buffer.from(bytes));
        });
        return;
      case '/stream':
        streamLarge(exchange, Number(exchange.query || '65536'));
        return;
      case '/whole':
        exchange.respond(200, [], large);
        return;
      case '/headers':
        exchange.respond(
          200,
          [],
          JSON.stringify([exchange.method, exchange.query, exchange.headers]),
        );
        return;
      case '/sip':
        sip(exchange);
        return;
      case '/kept':
        kept = exchange;
        return;
      case '/never':
        return;
      default:
        exchange.respond(404, [], '');
    }
  }

  function respondLater(exchange: Exchange, bytes: Buffer): void {
    setTimeout(() => {
      exchange.respond(200, [], new Uint8Array(bytes));
      late += 1;
    }, LATE_MS);
  }

  /** Sends the large bytes in parts, each after the previous one was sent, from reused memory. */
  function streamLarge(exchange: Exchange, partBytes: number): void {
    const borrowed = Buffer.alloc(partBytes);
    let offset = 0;
    const stream = exchange.stream(200, []);
    const pump = () => {
      if (offset >= large.length) return stream.end();
      const size = large.copy(borrowed, 0, offset, (offset += partBytes));
      stream.write(borrowed.subarray(0, size), () => setImmediate(pump));
    };
    setImmediate(pump);
  }

  /** Reads a body slowly, with pauses that are longer than it takes to send it. */
  function sip(exchange: Exchange): void {
    const hash = createHash('sha1');
    let size = 0;
    const resume = streamBody(exchange, 100 * MIB, {
      data: (bytes, last) => {
        hash.update(bytes);
        size += bytes.length;
        exchange.pause();
        if (last) exchange.respond(200, [], `${size} ${hash.digest('hex')}`);
        else setTimeout(resume, 1);
      },
      tooLarge: () => exchange.respond(413, [], ''),
    });
  }

  /** Reads an answer, with a pause after every few MiB. */
  function readSlowly(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path }, (response) => {
        const hash = createHash('sha1');
        let sinceRest = 0;
        response.on('data', (chunk: Buffer) => {
          hash.update(chunk);
          sinceRest += chunk.length;
          if (sinceRest < 2 * MIB) return;
          sinceRest = 0;
          response.pause();
          setTimeout(() => response.resume(), 15);
        });
        response.on('end', () => resolve(hash.digest('hex')));
        response.on('error', reject);
      }).on('error', reject);
    });
  }

  it.each([1000, 65_536, 300_000, 8 * MIB])(
    'streams 50 MiB in parts of %i bytes to slow readers, every byte in its place',
    async (partBytes) => {
      const path = `/stream?${partBytes}`;
      expect(await Promise.all([readSlowly(path), readSlowly(path)])).toEqual([
        largeHash,
        largeHash,
      ]);
    },
  );

  it('sends a whole answer of 50 MiB to slow readers', async () => {
    expect(await Promise.all([readSlowly('/whole'), readSlowly('/whole')])).toEqual([
      largeHash,
      largeHash,
    ]);
  });

  it('disconnects a reader that takes nothing of a streamed answer', async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 500 };
    const { server: other } = await createHttpServer(name, options);
    const otherPort = await other.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
    for (const path of ['/stream', '/whole']) {
      const client = await connectRaw(otherPort);
      client.socket.pause();
      client.send(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await until(() => other.inFlight === 1);
      await until(() => other.inFlight === 0);
      client.end();
    }
    await other.close();
  });

  it('answers consecutive requests on a kept connection', async () => {
    const client = await connectRaw(port);
    for (let round = 1; round <= 3; round++) {
      client.send(rawPost('/echo-later', `round ${round}`));
      await client.until((text) => text.endsWith(`round ${round}`));
    }
    client.end();
  });

  it('assembles a body that arrives byte by byte', async () => {
    const client = await connectRaw(port);
    const bytes = Buffer.from(rawPost('/echo', 'grün 🙂 ünd'));
    // uWebSockets.js 20.41 refuses a request line that arrives in pieces.
    const lineEnd = bytes.indexOf('\n') + 1;
    client.send(bytes.subarray(0, lineEnd));
    for (const byte of bytes.subarray(lineEnd)) {
      client.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const text = await client.until((received) => received.includes('nd'));
    expect(Buffer.from(text, 'latin1').toString('utf8')).toContain('grün 🙂 ünd');
    client.end();
  });

  it('reads chunked bodies', async () => {
    const client = await connectRaw(port);
    client.send('POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    for (const piece of ['3\r\nabc\r\n', '2\r\nde\r\n', '0\r\n\r\n']) client.send(piece);
    await client.until((text) => text.endsWith('abcde'));
    client.end();
  });

  it('accepts a body of exactly the limit, and refuses one more byte', async () => {
    const echo = (size: number) =>
      fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', body: Buffer.alloc(size, 97) });
    expect((await (await echo(BODY_MAX)).arrayBuffer()).byteLength).toBe(BODY_MAX);
    expect((await echo(BODY_MAX + 1)).status).toBe(413);
  });

  it('answers 413 from the announced length alone if it is far over the limit', async () => {
    const client = await connectRaw(port);
    const length = BODY_MAX + DROPPED_BYTES_MAX + 1;
    client.send(`POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
    await client.until((text) => text.startsWith('HTTP/1.1 413 Payload Too Large'));
    client.end();
  });

  it('answers 413 to an endless chunked body', async () => {
    const client = await connectRaw(port);
    client.send('POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const piece = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    for (let sent = 0; sent <= BODY_MAX + DROPPED_BYTES_MAX; sent += 65_536) client.send(piece);
    await client.until((text) => text.startsWith('HTTP/1.1 413'));
    client.end();
  });

  it('pauses a streamed body without losing anything of it', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/sip`, { method: 'POST', body: large });
    expect(await response.text()).toBe(`${large.length} ${largeHash}`);
  });

  it('provides method, query and headers of a request', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/headers?a=b%20c&d`, {
      headers: { accept: 'text/csv', traceparent: 'tp' },
    });
    expect(await response.json()).toMatchObject([
      'GET',
      'a=b%20c&d',
      { accept: 'text/csv', traceparent: 'tp', 'if-none-match': '' },
    ]);
  });

  it('joins repeated lists among the headers', async () => {
    const lists = ['accept', 'accept-encoding', 'if-none-match', 'x-forwarded-for'];
    const lines = lists.flatMap((each) => [`${each}: a`, `${each}: b`]);
    const client = await connectRaw(port);
    client.send(`GET /headers HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`);
    const text = await client.until((received) => received.endsWith(']'));
    const [, , headers] = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
    expect(headers).toMatchObject(Object.fromEntries(lists.map((each) => [each, 'a, b'])));
    client.end();
  });

  // uWebSockets.js 20.41 answers 505.
  const targets = name === 'node' ? ['http://x/headers?a', 'HTTP://x:80/headers?a'] : [];
  it.each(targets)('accepts the target %s', async (target) => {
    const client = await connectRaw(port);
    client.send(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(await client.until((text) => text.endsWith(']'))).toContain('\r\n\r\n["GET","a",');
    client.end();
  });

  it('notices a client that disconnects before, while and after it sends its body', async () => {
    for (const sent of ['/never', '/echo', '/stream', '/echo-later']) {
      aborted.length = 0;
      late = 0;
      const client = await connectRaw(port);
      const body =
        sent === '/echo' ? 'content-length: 10\r\n\r\nabc' : 'content-length: 1\r\n\r\nx';
      client.send(`POST ${sent} HTTP/1.1\r\nhost: x\r\n${body}`);
      await until(() => server.inFlight === 1);
      client.end();
      await until(() => server.inFlight === 0);
      expect(aborted).toEqual([sent]);
    }
    // The late answer was written to no client.
    await until(() => late === 1);
    expect((await fetch(`http://127.0.0.1:${port}/headers`)).status).toBe(200);
  });

  it('refuses headers over the limit with 431', async () => {
    const client = await connectRaw(port);
    client.send(`GET /headers HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(9000)}\r\n\r\n`);
    const text = await client.closed();
    expect(text).toMatch(/^HTTP\/1\.1 431/);
    expect(text).toContain('"code":"headers-too-large"');
  });

  it('accepts headers under the limit', async () => {
    const headers = { accept: 'y'.repeat(7000) };
    expect((await fetch(`http://127.0.0.1:${port}/headers`, { headers })).status).toBe(200);
  });

  it('closes the connection on input that is not HTTP', async () => {
    const client = await connectRaw(port);
    client.send('nonsense\r\n\r\n');
    await client.closed();
    expect((await fetch(`http://127.0.0.1:${port}/headers`)).status).toBe(200);
  });

  it('does not reveal which server it is', async () => {
    for (const path of ['/headers', '/stream?300000', '/nothing']) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
      const names = [...headers.keys()].filter((each) => /server|powered|uwebsockets/i.test(each));
      expect(names).toEqual([]);
    }
  });

  it('reports at once that a client has disconnected to a listener that is added later', async () => {
    const client = await connectRaw(port);
    client.send('GET /kept HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => kept).toBeDefined();
    client.end();
    await expect.poll(() => kept?.aborted).toBe(true);
    let calls = 0;
    kept?.onAbort(() => calls++);
    expect(calls).toBe(1);
  });

  it('distinguishes an empty idempotency key from an absent one', async () => {
    const keyOf = async (headers: Record<string, string>): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/headers`, { headers });
      return response.json();
    };
    const echoed = (key: string) => [
      'GET',
      '',
      expect.objectContaining({ 'idempotency-key': key }),
    ];
    expect(await keyOf({})).toEqual(echoed(''));
    expect(await keyOf({ 'idempotency-key': '' })).toEqual(echoed(EMPTY_HEADER));
    expect(await keyOf({ 'idempotency-key': 'k' })).toEqual(echoed('k'));
  });

  it('names a port that is in use', async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 1000 };
    const { server: second } = await createHttpServer(name, options);
    await expect(second.listen({ kind: 'port', host: '127.0.0.1', port: port })).rejects.toThrow(
      new RegExp(`127.0.0.1:${port}.* Choose another one with --port.$`),
    );
    await second.close();
  });

  it('drains: accepts no new connections and asks the open ones to close', async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 1000 };
    const { server: other } = await createHttpServer(name, options);
    const otherPort = await other.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
    const client = await connectRaw(otherPort);
    client.send(rawPost('/echo-later', 'before'));
    await until(() => other.inFlight === 1);
    other.drain();
    const text = await client.closed();
    expect(text).toMatch(/connection: close/i);
    expect(text).toContain('before');
    await expect(fetch(`http://127.0.0.1:${otherPort}/headers`)).rejects.toThrow();
    await other.close();
  });

  it('drains: completes a streamed answer', async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 1000 };
    const { server: other } = await createHttpServer(name, options);
    const otherPort = await other.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
    const answer = fetch(`http://127.0.0.1:${otherPort}/stream?65536`);
    await until(() => other.inFlight === 1);
    other.drain();
    const hash = createHash('sha1').update(new Uint8Array(await (await answer).arrayBuffer()));
    expect(hash.digest('hex')).toBe(largeHash);
    await other.close();
  });

  it('closes an idle connection when it closes', async () => {
    const { server: other } = await createHttpServer(name, {
      handle,
      headersBytesMax: 8192,
      writeStallMs: 1000,
    });
    const otherPort = await other.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
    const client = await connectRaw(otherPort);
    client.send('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => other.inFlight === 1);
    await other.close();
    await client.closed();
  });

  it('sends no body to HEAD, and keeps the connection', async () => {
    const client = await connectRaw(port);
    client.send('HEAD /whole HTTP/1.1\r\nhost: x\r\n\r\n');
    const head = await client.until((text) => text.endsWith('\r\n\r\n'));
    expect(head.toLowerCase()).toContain(`content-length: ${large.length}`);
    client.send(rawPost('/echo', 'after'));
    await client.until((text) => text.endsWith('after'));
    client.end();
  });
});
