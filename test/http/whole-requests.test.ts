/**
 * A complete and well-formed request is answered, wherever it is cut and whatever follows it. Any other
 * is refused, and neither it nor what follows it runs.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { holdBody } from '../../src/gateway/access/early-body.js';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import { type Exchange, HALF_CLOSED_MS, type HttpServer } from '../../src/gateway/http/exchange.js';
import { connectRaw, countAnswers, type RawClient, rawPost } from './raw-client.js';
import { readWhole } from './read-whole.js';
import { describeServers } from '../support/http-servers.js';
import { until } from './until.js';

const POST = 'POST /write HTTP/1.1\r\n';
const HOST = 'host: x\r\n';
const CHUNKED = `${POST}${HOST}transfer-encoding: chunked\r\n\r\n`;
const BEHIND = 'POST /write HTTP/1.1\r\nhost: x\r\ncontent-length: 6\r\n\r\nbehind';
const coded = (coding: string) =>
  `${POST}${HOST}transfer-encoding:${coding}\r\n\r\n1\r\nx\r\n0\r\n\r\n`;
const sized = (...lengths: string[]) =>
  `${POST}${HOST}${lengths.map((length) => `content-length:${length}\r\n`).join('')}\r\nx`;

/** Each is answered with 400 by both servers. */
const malformed: Readonly<Record<string, string>> = {
  'no host': `${POST}content-length: 1\r\n\r\nx`,
  'two hosts': `${POST}${HOST}host: y\r\ncontent-length: 1\r\n\r\nx`,
  'one host twice': `${POST}${HOST}Host: x\r\ncontent-length: 1\r\n\r\nx`,
  'two lengths': sized(' 1', ' 2'),
  'one length twice': sized(' 1', ' 1'),
  'a list of lengths': sized(' 1, 1'),
  'a signed length': sized(' +1'),
  'a negative length': sized(' -1'),
  'a length in hexadecimal': sized(' 0x1'),
  'an empty length': sized(''),
  'a length of more than 64 bits': sized(' 18446744073709551617'),
  'chunks and a length': coded(' chunked\r\ncontent-length: 1'),
  'a length and chunks': `${POST}${HOST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  gzip: coded(' gzip'),
  'gzip, chunked': coded(' gzip, chunked'),
  'identity, chunked': coded(' identity, chunked'),
  'chunked, chunked': coded(' chunked, chunked'),
  'chunked twice': coded(' chunked\r\ntransfer-encoding: chunked'),
  identity: coded(' identity'),
  'an empty coding': coded(''),
  'an empty coding and a length': coded('\r\ncontent-length: 1'),
  'a coding that ends like chunked': coded(' xchunked'),
  'a chunk whose size is not a number': `${CHUNKED}0x1\r\nx\r\n0\r\n\r\n`,
  'a chunk whose size has a sign': `${CHUNKED}-1\r\nx\r\n0\r\n\r\n`,
  'a chunk whose size wraps': `${CHUNKED}10000000000000001\r\nx\r\n0\r\n\r\n`,
};

/** uWebSockets.js 20.41 waits for more of these, and disconnects after ten seconds. */
const neverWhole: Readonly<Record<string, string>> = {
  'a folded line': `${POST}${HOST}x-a: b\r\n c\r\ncontent-length: 1\r\n\r\nx`,
  'a folded first line': `${POST} x: y\r\n${HOST}content-length: 1\r\n\r\nx`,
  'a folded coding': coded('\r\n chunked'),
  'a blank before the colon': `${POST}${HOST}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  'a bare LF after a header': `${POST}host: x\ncontent-length: 1\r\n\r\nx`,
  'a bare LF after the headers': `${POST}${HOST}content-length: 1\r\n\nx`,
  'a bare CR': `${POST}${HOST}x-a: b\rc\r\ncontent-length: 1\r\n\r\nx`,
  'a NUL': `${POST}${HOST}x-a: b\0c\r\ncontent-length: 1\r\n\r\nx`,
  'a line without a colon': `${POST}${HOST}foo\r\ncontent-length: 1\r\n\r\nx`,
};

const chunks: Readonly<Record<string, string>> = {
  'an extension': '1;abc=def\r\nx\r\n0\r\n\r\n',
  'a quoted extension': '1;a="b;c"\r\nx\r\n0\r\n\r\n',
  'an extension of the last chunk': '1\r\nx\r\n0;a\r\n\r\n',
  'a trailer': '1\r\nx\r\n0\r\nx-t: 1\r\n\r\n',
};

describeServers('a request to %s', (name) => {
  let server: HttpServer;
  let port: number;

  /** The bodies of the requests that ran. */
  const ran: string[] = [];

  beforeAll(async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 8000 };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  /**
   * `/write` runs to its end, and takes a while; `/slow` takes longer than the server waits for a
   * half-closed client. `/held` is read only after a while, like a request whose token is new. `/bare` is answered
   * late, and its body is not read.
   */
  function handle(exchange: Exchange): void {
    if (exchange.path === '/bare') return void setTimeout(() => respond(exchange, 'bare'), 100);
    if (exchange.path !== '/held') return run(exchange);
    const held = holdBody(exchange);
    setTimeout(() => {
      run(held.exchange);
      held.release();
    }, 5);
  }

  function run(exchange: Exchange): void {
    readWhole(exchange, 65_536, (bytes) => {
      const body = Buffer.from(bytes ?? '').toString();
      if (exchange.path === '/read') return respond(exchange, body);
      exchange.hold(() => {
        ran.push(body);
        const ms =
          exchange.path === '/slow' ? 2 * HALF_CLOSED_MS : exchange.path === '/held' ? 100 : 5;
        setTimeout(() => respond(exchange, body), ms);
      });
    });
  }

  function respond(exchange: Exchange, body: string): void {
    if (!exchange.aborted) exchange.respond(200, [], `[${body}]`);
  }

  beforeEach(() => ran.splice(0));

  /** Sends the pieces, each after the previous one was read. */
  async function sendPieces(...pieces: readonly string[]): Promise<RawClient> {
    const client = await connectRaw(port);
    client.socket.setNoDelay(true);
    for (const piece of pieces) {
      client.send(Buffer.from(piece, 'latin1'));
      for (let turns = 0; turns < 4; turns += 1) await turn();
    }
    return client;
  }

  describe.each(Object.keys(malformed))('with %s', (fault) => {
    const request = malformed[fault] ?? '';

    it('is answered with 400, and runs nothing', async () => {
      const client = await sendPieces(request);
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 /);
      expect(ran).toEqual([]);
    });

    it.each([[[BEHIND]], [['', BEHIND]]])('runs nothing that follows it', async (behind) => {
      const [first = '', ...rest] = behind;
      const client = await sendPieces(request + first, ...rest);
      const text = await client.closed();
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(countAnswers(text)).toBe(1);
      expect(ran).toEqual([]);
    });
  });

  it('with a first line that ends in a bare LF is refused', async () => {
    const client = await sendPieces(
      `POST /write HTTP/1.1\n${HOST}content-length: 1\r\n\r\nx${BEHIND}`,
    );
    expect(await client.closed()).toMatch(name === 'uws' ? /^HTTP\/1\.1 505/ : /^HTTP\/1\.1 400/);
    expect(ran).toEqual([]);
  });

  it('with an invalid header runs nothing, not even what follows it', async () => {
    const cut = Object.entries(neverWhole).map(async ([fault, request]) => {
      const client = await sendPieces(request + BEHIND);
      return [fault, (await client.closed(20_000)).slice(0, 12)];
    });
    const answer = name === 'uws' ? '' : 'HTTP/1.1 400';
    expect(await Promise.all(cut)).toEqual(Object.keys(neverWhole).map((fault) => [fault, answer]));
    expect(ran).toEqual([]);
  });

  it('that is incomplete is never run, however its client disconnects', async () => {
    const whole = { size: rawPost('/write', 'two'), chunks: `${CHUNKED}3\r\ntwo\r\n0\r\n\r\n` };
    for (const [framing, request] of Object.entries(whole)) {
      // uWebSockets.js considers a body complete after the last chunk, without the line that
      // follows it.
      const end = request.length - (framing === 'chunks' && name === 'uws' ? 4 : 1);
      for (let cut = 1; cut <= end; cut += 1) {
        const client = await sendPieces(request.slice(0, cut));
        if (cut % 2 === 0) client.socket.end();
        else client.end();
      }
    }
    await until(() => server.inFlight === 0);
    expect(ran).toEqual([]);
  });

  it('is answered wherever it is split', async () => {
    for (const request of [rawPost('/write', 'abc'), `${CHUNKED}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`]) {
      const lineEnd = request.indexOf('\n') + 1;
      for (let cut = 1; cut < request.length; cut += 1) {
        const client = await sendPieces(request.slice(0, cut), request.slice(cut));
        // uWebSockets.js 20.41 refuses a request line in pieces, unless the cut is within the
        // method.
        const isRefused = name === 'uws' && cut > 'POS'.length && cut < lineEnd;
        if (isRefused)
          expect([cut, await client.closed()]).toEqual([cut, expect.stringMatching(/ 505 /)]);
        else await client.until((text) => text.endsWith('[abc]'));
        client.end();
      }
    }
  });

  it.each(Object.keys(chunks))(
    'with %s in its chunks is answered, or refused before it runs',
    async (kind) => {
      const client = await sendPieces(CHUNKED + chunks[kind]);
      if (name === 'node') {
        await client.until((text) => text.endsWith('[x]'));
        client.end();
        return;
      }
      // uWebSockets.js 20.41 knows neither of them, and may wait for more of an extension.
      client.socket.end();
      expect(await client.closed()).toMatch(/^$|^HTTP\/1\.1 (?:400|505) /);
      expect(ran).toEqual([]);
    },
  );

  it('that writes is answered in order with those after it, or is not run', async () => {
    const requests = ['one', 'two', 'three'].map((body) => rawPost('/write', body));
    const client = await sendPieces(requests.join(''));
    if (name === 'uws') {
      expect(await client.closed()).toBe('');
      expect(ran).toEqual([]);
    } else {
      expect(bodiesOf(await client.until(hasAll))).toEqual(['[one]', '[two]', '[three]']);
      client.end();
    }
  });

  it('that writes is answered before those that follow piece by piece', async () => {
    const requests = ['one', 'two', 'three'].map((body) => rawPost('/write', body));
    const client = await sendPieces(...requests);
    const answered = await (name === 'uws'
      ? client.until((text) => /\[one\]/.test(text))
      : client.until(hasAll));
    expect(bodiesOf(answered)[0]).toBe('[one]');
    client.end();
  });

  it('that is answered at once is answered in order with those after it', async () => {
    const client = await sendPieces(
      ['one', 'two', 'three'].map((body) => rawPost('/read', body)).join(''),
    );
    expect(bodiesOf(await client.until(hasAll))).toEqual(['[one]', '[two]', '[three]']);
    client.end();
  });

  it('that expects 100 Continue gets it before its answer, not within', async () => {
    const request = (body: string) => rawPost('/read', body, ['expect: 100-continue']);
    const client = await sendPieces(rawPost('/slow', 'one') + request('two') + request('three'));
    const alone = await sendPieces(request('x'));
    expect(bodiesOf(await alone.until((text) => text.endsWith('[x]')))).toEqual(['[x]']);
    alone.end();
    if (name === 'node') {
      expect(alone.received()).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP/);
      expect(bodiesOf(await client.until(hasAll))).toEqual(['[one]', '[two]', '[three]']);
      expect(client.received()).toMatch(/(?:HTTP\/1.1 100 Continue\r\n\r\nHTTP[^[]*\[\w+\]){2}$/);
    }
    client.end();
  });

  it('that is well-formed is not run if what follows it is not', async () => {
    const client = await sendPieces(`${rawPost('/write', 'first')}no HTTP\r\n\r\n`);
    await client.closed();
    expect(ran).toEqual([]);
  });

  it.each(['', 'connection: close'])(
    'is answered although its client closes its side (%s)',
    async (header) => {
      const headers = header === '' ? [] : [header];
      const client = await sendPieces(rawPost('/write', 'half', headers));
      client.socket.end();
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 [^]*\[half\]$/);
    },
  );

  it.each([
    ['while', ''],
    ['while', 'connection: close'],
    ['after', ''],
    ['after', 'connection: close'],
  ])(
    'is answered although its client closes its side %s its body was held back (%s)',
    async (when, header) => {
      const headers = header === '' ? [] : [header];
      const client = await sendPieces(rawPost('/held', 'half', headers));
      if (when === 'after') await until(() => ran.length === 1);
      client.socket.end();
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 [^]*\[half\]$/);
    },
  );

  it('without a body is answered although its client closes its side', async () => {
    const client = await sendPieces(`GET /bare HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`);
    client.socket.end();
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 [^]*\[bare\]$/);
  });

  it('is abandoned if its client closed its side long ago', async () => {
    const client = await sendPieces(rawPost('/slow', 'half'));
    client.socket.end();
    expect(await client.closed()).toBe('');
    await until(() => server.inFlight === 0);
  });
});

/** Whether the answers to all three requests were received. */
function hasAll(text: string): boolean {
  return text.endsWith('[three]');
}

function bodiesOf(text: string): readonly string[] {
  return text.match(/\[\w+\]/g) ?? [];
}
