/** Clients that pause while they read an answer, and compare every byte of it. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { createRandom } from './random.js';

const REST_MS_MIN = 20;
const REST_MS_MAX = 100;
/** The average number of bytes between two pauses. */
const BETWEEN_RESTS_BYTES = 4 << 20;

export interface ReadRequest {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly expected: Buffer;
}

export interface PausingReads extends ReadRequest {
  /** The number of answers that all connections read together. */
  readonly answers: number;
  readonly connections: number;
  readonly seed: number;
}

/** How long to pause, in milliseconds, after the given number of bytes. */
type Rests = (bytes: number) => number;

/**
 * Reads answers on kept connections, with pauses. Rejects with the position of the first byte that is
 * wrong or missing.
 */
export async function readPausing(reads: PausingReads): Promise<void> {
  let left = reads.answers;
  const random = createRandom(reads.seed);
  let untilRest = random(2 * BETWEEN_RESTS_BYTES);
  const rests: Rests = (bytes) => {
    untilRest -= bytes;
    if (untilRest > 0) return 0;
    untilRest = random(2 * BETWEEN_RESTS_BYTES);
    return REST_MS_MIN + random(REST_MS_MAX - REST_MS_MIN);
  };
  const readOnOneConnection = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      while (left-- > 0) await compareAnswer(await ask(reads, agent), reads.expected, rests);
    } finally {
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: reads.connections }, readOnOneConnection));
}

/**
 * Reads an answer at a limited speed for some time, and then as fast as it arrives. Rejects like
 * `readPausing`, or with `refused with 503` if there was no answer.
 */
export async function readAtSpeed(
  read: ReadRequest,
  speed: { readonly bytesPerSecond: number; readonly forMs: number },
): Promise<void> {
  const begin = performance.now();
  const rests: Rests = (bytes) =>
    performance.now() - begin < speed.forMs ? (1000 * bytes) / speed.bytesPerSecond : 0;
  const agent = new Agent();
  try {
    await compareAnswer(await ask(read, agent), read.expected, rests);
  } finally {
    agent.destroy();
  }
}

function ask({ port, method, path, body }: ReadRequest, agent: Agent): Promise<IncomingMessage> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent };
    const sent = request(options, (message) => {
      if (message.statusCode === 200) return resolve(message);
      message.resume();
      reject(new Error(`refused with ${message.statusCode}`));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function compareAnswer(message: IncomingMessage, expected: Buffer, rests: Rests): Promise<void> {
  return new Promise((resolve, reject) => {
    let at = 0;
    const fail = (what: string) => {
      reject(new Error(`${what} at byte ${at} of ${expected.length}`));
      message.destroy();
    };
    message.on('data', (bytes: Buffer) => {
      const end = Math.min(at + bytes.length, expected.length);
      if (bytes.compare(expected, at, end) !== 0) return fail('A wrong byte');
      at = end;
      const restMs = rests(bytes.length);
      if (restMs === 0) return;
      message.pause();
      setTimeout(() => message.resume(), restMs);
    });
    message.on('error', (error) => fail(error.message));
    message.on('end', () => {
      if (at === expected.length) resolve();
      else fail('The end');
    });
  });
}
