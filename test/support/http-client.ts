/** A client that returns answers as they were sent: not decoded, and read as slowly as a test wants. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer whose body has not been read. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly message: IncomingMessage;
  /** Closes the connection. */
  abort(): void;
}

/** An answer with the bytes of its body. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface WireRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request, and resolves with the head of the answer. A body is sent as JSON, by POST. */
export function openRequest(
  base: string,
  path: string,
  { method, headers, body }: WireRequest = {},
): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    const usual = body === undefined ? 'GET' : 'POST';
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const options = { method: method ?? usual, headers: { ...type, ...headers }, agent: false };
    const sent = request(`${base}${path}`, options, (message) => {
      const { statusCode: status = 0, headers: answered } = message;
      resolve({ status, headers: answered, message, abort: () => sent.destroy() });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends a request, and reads the body to its end. Rejects if the body is truncated. */
export async function askWire(base: string, path: string, ask: WireRequest = {}) {
  const { status, headers, message } = await openRequest(base, path, ask);
  const answer: WireAnswer = { status, headers, body: await buffer(message) };
  return answer;
}
