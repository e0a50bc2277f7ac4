/** A body that arrives in pieces gets the same answer as the whole body, wherever it is cut. */
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, type RawClient } from './raw-client.js';
import { describeServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

interface Post {
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly headers?: readonly string[];
  readonly status: number;
}

/** Characters of one to four bytes, and escapes, so that a cut falls into each of them. */
const text = '{"query":"Orders","data":{"a":"x é € 🙂 \\u00e9 \\"\\n"}}';
const larger = '{"query":"Orders","data":{"large":3000}}';
const streamed = '{"query":"Orders","data":{"stream":9000}}';
const steps = '[{"query":"Orders","data":{"b":"🙂"}},{"query":"Orders"}]';

const posts: Readonly<Record<string, Post>> = {
  'a query': { path: '/execute', body: text, status: 200 },
  'a query, answered in gzip': posted(larger, 'accept-encoding: gzip'),
  'a query, answered in br': posted(larger, 'accept-encoding: br'),
  'a query, streamed': posted(streamed),
  'a query, streamed in gzip': posted(streamed, 'accept-encoding: gzip'),
  'a query, streamed in br': posted(streamed, 'accept-encoding: br'),
  'a description': { path: '/plan', body: text, status: 200 },
  'a transaction': { path: '/transaction', body: steps, status: 200 },
  'an import': { path: '/stages/default/import', body: text, status: 200 },
  'a body that is not JSON': { path: '/execute', body: `${text}}`, status: 400 },
  'a body that is not UTF-8': {
    path: '/execute',
    body: Buffer.from('{"query":"\xff"}', 'latin1'),
    status: 400,
  },
  'a body in gzip': coded('gzip', gzipSync(text)),
  'a body in br': coded('br', brotliCompressSync(text)),
  'a body in deflate': coded('deflate', deflateSync(text)),
};

function posted(body: string, ...headers: string[]): Post {
  return { path: '/execute', body, headers, status: 200 };
}

/** No content coding of a request is accepted. */
function coded(coding: string, body: Uint8Array): Post {
  return { path: '/execute', body, headers: [`content-encoding: ${coding}`], status: 415 };
}

/** How the body follows the head, and how its end is known. */
const framings = {
  'known length': (bytes: Buffer) => [`content-length: ${bytes.length}`, bytes] as const,
  chunks: (bytes: Buffer) => {
    const half = bytes.length >> 1;
    const chunks = [bytes.subarray(0, half), bytes.subarray(half)].flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
    const framed = Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
    return ['transfer-encoding: chunked', framed] as const;
  },
} as const;

describeServers('behind %s', (server) => {
  let started: StartedGateway;
  beforeAll(async () => {
    started = await startOnFakeWorker(server, ['--compression', 'on']);
  });
  afterAll(() => started.gateway.close());

  describe.each(['known length', 'chunks'] as const)('pieces of a body of %s', (framing) => {
    it.each(Object.keys(posts))('%s gives the same answer as one piece', async (name) => {
      const { path, body, headers = [], status } = posts[name] ?? posted('');
      const [length, bytes] = framings[framing](Buffer.from(body));
      const lines = [`POST ${path} HTTP/1.1`, 'host: x', 'x-request-id: same', length, ...headers];
      const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
      const client = await connectRaw(started.gateway.port);
      client.socket.setNoDelay(true);
      // The first request creates the plan.
      await ask(client, [Buffer.concat([head, bytes])]);
      const expected = await ask(client, [Buffer.concat([head, bytes])]);
      expect(expected).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      for (let cut = 0; cut < bytes.length; cut += 1) {
        const pieces = [Buffer.concat([head, bytes.subarray(0, cut)]), bytes.subarray(cut)];
        expect([cut, await ask(client, pieces)]).toEqual([cut, expected]);
      }
      const single = Array.from(bytes, (byte) => Buffer.of(byte));
      expect(await ask(client, [head, ...single])).toEqual(expected);
      client.end();
    });
  });
});

/** Sends the pieces, each after the server has read the previous one, and returns the answer. */
async function ask(client: RawClient, pieces: readonly Buffer[]): Promise<string> {
  const begin = client.received().length;
  for (const piece of pieces) {
    client.send(piece);
    // The server reads in this thread, between turns of the event loop.
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }
  const text = await client.until((received) => isWhole(received.slice(begin)));
  return comparable(text.slice(begin));
}

function isWhole(answer: string): boolean {
  const headEnd = answer.indexOf('\r\n\r\n') + 4;
  if (headEnd < 4) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n');
  return answer.length === headEnd + Number(length);
}

/** The answer without the date, the framing headers, and the progress of an import. */
function comparable(answer: string): string {
  const headEnd = answer.indexOf('\r\n\r\n') + 4;
  const head = answer.slice(0, headEnd).replace(/^(date|content-length): .*\r\n/gim, '');
  let body = answer.slice(headEnd);
  if (/^transfer-encoding: chunked/im.test(head)) body = joinChunks(body);
  return head + body.replace(/"most","rows":\d+/, '');
}

function joinChunks(body: string): string {
  let joined = '';
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, lineEnd), 16);
    joined += body.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
  return joined;
}
