/** Clients that read large answers on kept connections, rest now and then, and compare every byte. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { createRandom } from './random.js';

const REST_MS_MIN = 20;
const REST_MS_MAX = 100;
/** A rest comes after so many bytes on the average. */
const BETWEEN_RESTS_BYTES = 4 << 20;

export interface PausingRead {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly expected: Buffer;
  /** How many answers all connections read together. */
  readonly answers: number;
  readonly connections: number;
  readonly seed: number;
}

/** Reads the answers; rejects with the place of the first byte that is wrong or missing. */
export async function readPausing(read: PausingRead): Promise<void> {
  let left = read.answers;
  const random = createRandom(read.seed);
  const work = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      while (left-- > 0) await compareAnswer(await ask(read, agent), read.expected, random);
    } finally {
      agent.destroy();
    }
  };
  await Promise.all(Array.from({ length: read.connections }, work));
}

function ask({ port, method, path, body }: PausingRead, agent: Agent): Promise<IncomingMessage> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

function compareAnswer(
  message: IncomingMessage,
  expected: Buffer,
  random: (below: number) => number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let at = 0;
    let untilRest = random(2 * BETWEEN_RESTS_BYTES);
    const fail = (what: string) => {
      reject(new Error(`${what} at byte ${at} of ${expected.length}`));
      message.destroy();
    };
    message.on('data', (bytes: Buffer) => {
      const end = Math.min(at + bytes.length, expected.length);
      if (bytes.compare(expected, at, end) !== 0) return fail('A wrong byte');
      at = end;
      untilRest -= bytes.length;
      if (untilRest > 0) return;
      untilRest = random(2 * BETWEEN_RESTS_BYTES);
      message.pause();
      setTimeout(() => message.resume(), REST_MS_MIN + random(REST_MS_MAX - REST_MS_MIN));
    });
    message.on('error', (error) => fail(error.message));
    message.on('end', () => {
      if (at === expected.length) resolve();
      else fail('The end');
    });
  });
}
