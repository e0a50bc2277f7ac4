/** A client of the program that keeps its connections; every request has a time limit. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { LosslessNumber } from 'lossless-json';
import { type Answered, isObject, parseAnswer } from '../judge/answered.js';

const REQUEST_MS = 30_000;
const SOCKETS = 40;
/** The server closes idle connections after twice this time. */
const IDLE_MS = 5000;

export interface Reply {
  /** 0 if the connection was closed before the end of the answer; `text` then contains the error. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface Client {
  /** Posts a body of JSON text. */
  post(path: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  close(): void;
}

/** `key`: sent with each request. */
export function createClient(base: string, key?: string): Client {
  const authorized = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS, timeout: IDLE_MS });
  const send = (
    path: string,
    method: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ) =>
    new Promise<Reply>((resolve) => {
      const reject = ({ message }: Error): void =>
        resolve({ status: 0, headers: {}, body: Buffer.alloc(0), text: message });
      const sent = request(
        `${base}${path}`,
        { method, agent, headers: { ...authorized, ...headers } },
        (message) => {
          const { statusCode: status = 0, headers: answered } = message;
          buffer(message).then(
            (bytes) => resolve({ status, headers: answered, body: bytes, text: bytes.toString() }),
            reject,
          );
        },
      );
      sent.setTimeout(REQUEST_MS, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(body);
    });
  return {
    async post(path, body, headers) {
      const given = { 'content-type': 'application/json', ...headers };
      await settled();
      const reply = await send(path, 'POST', body, given);
      // Nothing was run, as the machine is busy. A request that waits forever would do so again.
      return codeOf(reply) === 'queue-timeout' ? send(path, 'POST', body, given) : reply;
    },
    async get(path) {
      await settled();
      return send(path, 'GET');
    },
    close: () => agent.destroy(),
  };
}

/** A long computation may have kept this process from noticing that the server closed a connection. */
async function settled(): Promise<void> {
  await setImmediate();
  // In the middle of a turn of the event loop, only the next turn checks the sockets.
  await setImmediate();
}

/** The code of a problem; undefined for any other answer. */
export function codeOf({ text }: Reply): string | undefined {
  const problem = problemOf(text);
  const code = problem?.['code'];
  return typeof code === 'string' ? code : undefined;
}

/** An answer in one line. */
export function describeReply({ status, text }: Reply): string {
  const { code, detail } = problemOf(text) ?? {};
  return `${status} ${code === undefined ? text.slice(0, 300) : `${String(code)}: ${String(detail)}`}`;
}

function problemOf(text: string): { readonly [name: string]: Answered } | undefined {
  try {
    const value = parseAnswer(text);
    return isObject(value) && !(value instanceof LosslessNumber) ? value : undefined;
  } catch {
    return undefined;
  }
}
