/**
 * Whatever bytes a client sends, and in whatever pieces, the program answers or disconnects without
 * delay, answers others correctly meanwhile, and runs only complete writes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { HALF_CLOSED_MS } from '../../src/gateway/http/exchange.js';
import type { Random } from '../random/random.js';
import { metricOf } from '../reliability/parts/gateway.js';
import { useOwnPostgresql } from '../introspect/own-database.js';
import { describeServers } from '../support/http-servers.js';
import { rowsOf, until } from '../support/program.js';
import { useGateway } from './gateways.js';
import { fuzz, LIMIT_MS } from './inputs.js';
import { changeText } from './mutate.js';

/** A client that receives nothing for so long closes its side: after one request, and after several. */
const SILENCE_MS = [20, 300] as const;
/** The answer of a write, in JSON, NDJSON or CSV. */
const STORED = /^(?:\[?\{"id":|id,mark\r\n)(\d+),[^\n]*\s*$/;
const JSON_TYPE = 'content-type: application/json';

const HEADERS = [
  'accept: */*|accept-encoding: gzip, br|x-request-id: abc|connection: keep-alive|: x|x|host: y',
  'connection: close|idempotency-key: abc|if-none-match: *|expect: 100-continue|content-length: 3',
  'transfer-encoding: chunked|upgrade: websocket|cookie: a=b|authorization: Bearer x|te: trailers',
  'accept: text/csv|accept: application/x-ndjson|accept-encoding: br;q=1, *;q=0|content-encoding: br',
].flatMap((lines) => lines.split('|'));

const pieces = [
  ...'\r\n\0\t :;,/?#%&=+-*"\\{}[]()<>@0aZ\u007f\u0080\u00ff',
  ...'HTTP/1.1|HTTP/1.0|HTTP/2.0|GET |PRI * HTTP/2.0\r\n\r\n|\r\n|\r\n\r\n|\r\n |\n\n|\x16\x03\x01'.split(
    '|',
  ),
  ...'0\r\n\r\n|5\r\n|ffffffffffffffff\r\n|%00|%zz|/../|//|?view=x|http://x/'.split('|'),
  ...['a'.repeat(5000), 'x: y\r\n'.repeat(120), '9'.repeat(30)],
  ...HEADERS.map((header) => `${header}\r\n`),
];
const PATHS = '/ping /readyz /entities/Notes /schema /openapi.json /stats?limit=1 /x'.split(' ');

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const post = (path: string, body: unknown) => rawPost(path, JSON.stringify(body), [JSON_TYPE]);

function chunked(random: Random, path: string, body: unknown): string {
  const text = JSON.stringify(body);
  // Before the mark.
  const cut = 1 + random.below(20);
  const chunks = [text.slice(0, cut), text.slice(cut), ''].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  const head = [`POST ${path} HTTP/1.1`, 'host: x', JSON_TYPE, 'transfer-encoding: chunked'];
  return `${head.join('\r\n')}\r\n\r\n${chunks.join('')}`;
}

/** A valid request. Only writes answer rows with a mark. */
function makeRequest(random: Random, mark: string): string {
  const write = { query: 'Notes.insert()', data: { mark } };
  const read = { query: 'Points.filter(p=>p.id==id)', data: { id: 1 } };
  const part = { noteId: random.below(1e6), number: 1 };
  return random.pick([
    () => get(random.pick(PATHS)),
    () => post(random.pick(['/execute', '/plan', '/metadata', '/explain']), read),
    () => chunked(random, '/execute', read),
    () => post('/execute', [read, read]),
    () =>
      chunked(random, '/stages/default/import', { entities: [{ entity: 'Parts', rows: [part] }] }),
    () => post('/execute', write),
    () => chunked(random, '/execute', write),
    () => post('/transaction', [write]),
    () => 'OPTIONS /execute HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'DELETE /stats HTTP/1.1\r\nhost: x\r\n\r\n',
  ])();
}

/** The request with its header lines doubled, reordered, added or changed. */
function changeHead(random: Random, request: string): string {
  const [head = '', ...body] = request.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const line = random.pick(lines);
  const others = lines.filter((each) => each !== line);
  const changed = random.pick([
    () => [...lines, line],
    () => random.shuffled(lines),
    () => others,
    () => [random.pick(HEADERS), ...lines],
    () => [...lines, random.pick(HEADERS)],
    () => [...others, line.replace(/:\s*/, random.pick([':', ' : ', ':\t', ':  \t ', ': \r\n ']))],
    () => [...others, line.toUpperCase()],
    () => [...others, `${line}${random.pick([' ', ',', ', 1', '\t', '0', '\0'])}`],
    () =>
      lines.map((each) =>
        each.replace(/length: (\d+)/, (_, n) => `length: ${Number(n) + random.below(9) - 4}`),
      ),
  ])();
  return [[first, ...changed].join('\r\n'), ...body].join('\r\n\r\n');
}

interface Sent {
  /** What is sent, as Latin-1 text, in pieces. */
  readonly pieces: readonly string[];
  /** Whether it is a beginning of one request. */
  readonly isCut: boolean;
  readonly isPipelined: boolean;
}

function makeInput(random: Random, number: number): Sent {
  const requests = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () =>
    makeRequest(random, `mark ${number}`),
  );
  const text = requests.join('');
  const changed = random.pick([
    () => text,
    () => changeHead(random, text),
    () => changeText(random, changeHead(random, text), pieces),
    () => changeText(random, text, pieces),
    () => changeText(random, text, pieces),
  ])();
  const isCut = requests.length === 1 && !text.includes('chunked') && random.chance(0.1);
  const sent = isCut ? text.slice(0, -1 - random.below(text.length - 1)) : changed;
  const cuts = Array.from({ length: random.pick([0, 0, 1, 2, 5]) }, () =>
    random.below(sent.length),
  );
  const ends = [...cuts.sort((one, other) => one - other), sent.length];
  return {
    pieces: ends.map((end, at) => sent.slice(ends[at - 1] ?? 0, end)),
    isCut,
    isPipelined: requests.length > 1,
  };
}

describeServers('bytes at %s', (server) => {
  const gateway = useGateway(useOwnPostgresql('SELECT 1'), server);
  /** The rows whose writes were answered with success. */
  const answered = new Set<number>();
  /** What clients sent that closed their side before all answers. */
  const unanswered: string[] = [];

  /** Resolves with how long the client waited after it had closed its side, in milliseconds. */
  async function send({ pieces: sent, isCut, isPipelined }: Sent): Promise<number> {
    const client = await Promise.race([connectRaw(gateway.program.port), gateway.program.ended]);
    if (typeof client !== 'object' || client === null) throw new Error('The program has ended.');
    client.socket.setNoDelay(true);
    for (const piece of sent) {
      client.send(Buffer.from(piece, 'latin1'));
      await sleep(1);
    }
    let length = -1;
    while (client.received().length > length && !client.socket.closed) {
      length = client.received().length;
      await sleep(SILENCE_MS[isPipelined ? 1 : 0]);
    }
    client.socket.end();
    const begin = performance.now();
    const text = await client.closed(8 * LIMIT_MS);
    const endMs = performance.now() - begin;
    // The program waits for so long since the request has arrived.
    const isLate = endMs > HALF_CLOSED_MS / 2;
    if (isPipelined || isLate) unanswered.push(sent.join(''));
    for (const { status, body } of answersIn(text)) {
      const isFine = status < 500 || (status === 505 && server === 'uws');
      if (!isFine || (isCut && status < 300)) throw new Error(`${status} ${body}`);
      const [, id] = STORED.exec(body) ?? [];
      if (id !== undefined) answered.add(Number(id));
    }
    return endMs;
  }

  /** A well-behaved client. */
  async function readBeside(): Promise<number> {
    const begin = performance.now();
    const rows = await rowsOf(gateway.program, 'Points.filter(p=>p.id==id)', { id: 2 });
    expect(rows).toEqual([{ id: 2, name: 'point 2', size: 0.5 }]);
    return performance.now() - begin;
  }

  let sentCount = 0;
  fuzz<Sent>('changed requests', {
    usual: 1500,
    atOnce: 64,
    make: makeInput,
    check: async (input) => {
      sentCount += 1;
      const beside = sentCount % 32 === 0 ? readBeside() : 0;
      return Math.max(...(await Promise.all([send(input), beside])));
    },
    after: async () => {
      const rows = (await rowsOf(gateway.program, 'Notes')) as { id: number; mark: string }[];
      const known = [...answered].filter((id) => rows.some((row) => row.id === id));
      expect(known).toEqual([...answered]);
      expect(known).not.toEqual([]);
      const others = rows.filter(({ id }) => !answered.has(id));
      const isExplained = ({ mark }: { readonly mark: string }) =>
        unanswered.some((text) => text.includes(Buffer.from(mark).toString('latin1')));
      const lost = others.filter((row) => !isExplained(row));
      if (lost.length > 0) throw new Error(`Stored without an answer: ${JSON.stringify(lost)}`);
      // The last clients have just left, so their requests may still be being cancelled.
      const unansweredNow = () => metricOf(gateway.program, 'rowgate_requests_unanswered');
      await until('all requests are answered', async () => (await unansweredNow()) === 0);
      expect(await metricOf(gateway.program, 'rowgate_requests_overdue_total')).toBe(0);
    },
  });
});

/** The answers in what was received. */
function answersIn(
  received: string,
): readonly { readonly status: number; readonly body: string }[] {
  const answers: { status: number; body: string }[] = [];
  let rest = received;
  while (rest !== '') {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (!status) throw new Error(`no answer: ${rest}`);
    rest = rest.slice(head.length + 4);
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    const hasNone = status < 200 || status === 204 || status === 304;
    const end = hasNone ? 0 : length === undefined ? rest.length : Number(length);
    answers.push({ status, body: rest.slice(0, end) });
    rest = rest.slice(end);
  }
  return answers;
}
