/**
 * Large answers to readers that pause now and then, while other clients send requests and disconnect,
 * on both servers: every byte must arrive in its place. `ROWGATE_TEST_ANSWERS=20000` reads that many
 * answers.
 */
import { Agent, get } from 'node:http';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/gateway/http/create-server.js';
import type { Exchange, HttpServer } from '../../src/gateway/http/exchange.js';
import { readPausing } from '../support/pausing-reader.js';
import { connectRaw } from './raw-client.js';
import { readWhole } from './read-whole.js';
import { describeServers } from '../support/http-servers.js';

const ANSWERS = Number(process.env['ROWGATE_TEST_ANSWERS'] ?? '120');
const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261122');
const CONNECTIONS = 4;
const NEIGHBOURS = 3;
/** More than the system buffers for a reader that pauses. */
const LARGE_BYTES = 6 << 20;
/**
 * With the eight bytes of chunked encoding around it, a part of 65,475 bytes fills a packet of the
 * loopback interface, so the second of two such parts is refused from its first byte on. The other
 * sizes are odd, or those that workers send.
 */
const PART_BYTES = [65_475, 61_889, 14_992, 262_144] as const;

/** No sequence of eight bytes occurs twice, so missing bytes are noticed. */
const large = Buffer.alloc(LARGE_BYTES);
for (let at = 0; at < LARGE_BYTES; at += 8) {
  large.writeUInt32LE(at, at);
  large.writeUInt32BE(~at >>> 0, at + 4);
}

/** A body that fills a packet together with uWebSockets.js's head, and exceeds its cork buffer. */
const medium = large.subarray(0, 65_387);

describeServers('large answers on %s', (name) => {
  let server: HttpServer;
  let port: number;
  let responses = 0;

  beforeAll(async () => {
    const options = { handle, headersBytesMax: 8192, writeStallMs: 10_000 };
    ({ server } = await createHttpServer(name, options));
    port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  function handle(exchange: Exchange): void {
    if (exchange.path === '/stream') stream(exchange, Number(exchange.query));
    else if (exchange.path === '/whole') respondSoon(exchange, large);
    else if (exchange.path === '/medium') respondSoon(exchange, medium);
    else readWhole(exchange, 1000, () => exchange.respond(200, [], 'short'));
  }

  function respondSoon(exchange: Exchange, body: Buffer): void {
    setImmediate(() => {
      exchange.respond(200, [], new Uint8Array(body));
      responses += 1;
    });
  }

  /** Like a worker, sends a part per iteration of the event loop, and lets at most four wait. */
  function stream(exchange: Exchange, partBytes: number): void {
    const answer = exchange.stream(200, []);
    let at = 0;
    let waiting = 0;
    const send = () => {
      if (at >= LARGE_BYTES || waiting >= 4) return;
      waiting += 1;
      const part = large.subarray(at, (at += partBytes));
      answer.write(part, () => {
        waiting -= 1;
        setImmediate(send);
      });
      if (at >= LARGE_BYTES) answer.end();
      else setImmediate(send);
    };
    setImmediate(send);
  }

  /** Sends short requests, and disconnects in the middle of answers, until `isOver`. */
  async function neighbours(isOver: () => boolean): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    const short = async () => {
      while (!isOver()) expect(await getText(`http://127.0.0.1:${port}/`, agent)).toBe('short');
    };
    const leave = async () => {
      while (!isOver()) {
        const client = await connectRaw(port);
        client.send('GET /stream?61889 HTTP/1.1\r\nhost: x\r\n\r\n');
        await client.until((text) => text.length > 100_000);
        client.end();
      }
    };
    await Promise.all([...Array.from({ length: NEIGHBOURS }, short), leave()]);
    agent.destroy();
  }

  async function readBesideOthers(path: string, answers: number): Promise<void> {
    let isOver = false;
    const others = neighbours(() => isOver);
    const read = { port, method: 'GET', path, expected: large, connections: CONNECTIONS };
    try {
      await readPausing({ ...read, answers, seed: SEED });
    } finally {
      isOver = true;
      await others;
    }
    expect(server.inFlight).toBeLessThan(NEIGHBOURS);
  }

  it.each(PART_BYTES)(
    'in parts of %i bytes reach pausing readers completely',
    (partBytes) => readBesideOthers(`/stream?${partBytes}`, ANSWERS / PART_BYTES.length),
    60_000 + 100 * ANSWERS,
  );

  it(
    'of known length reach pausing readers completely',
    () => readBesideOthers('/whole', ANSWERS / PART_BYTES.length),
    60_000 + 100 * ANSWERS,
  );

  it('arrive complete at a client that pipelines requests before it reads', async () => {
    const client = await connectRaw(port);
    client.socket.pause();
    let asked = 0;
    responses = 0;
    const isAnswered = () => responses === asked && server.inFlight === 0;
    do {
      client.send('GET /medium HTTP/1.1\r\nhost: x\r\n\r\n');
      asked += 1;
    } while ((await holds(isAnswered)) && asked < 300);
    client.socket.resume();
    const begun = await client.until((received) => received.includes('\r\n\r\n'));
    const headBytes = begun.indexOf('\r\n\r\n') + 4;
    const answerBytes = headBytes + medium.length;
    const text = await client.until((received) => received.length >= asked * answerBytes);
    for (let begin = 0; begin < text.length; begin += answerBytes) {
      expect(text.slice(begin, begin + 15)).toBe('HTTP/1.1 200 OK');
      const body = Buffer.from(text.slice(begin + headBytes, begin + answerBytes), 'latin1');
      expect(body.equals(medium)).toBe(true);
    }
    client.end();
  });
});

/** Whether the condition becomes true within a short time. */
async function holds(condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + 200;
  while (!condition() && performance.now() < deadline) await nextIteration();
  return condition();
}

function getText(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
