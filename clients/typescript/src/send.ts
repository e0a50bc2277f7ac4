/** Sends requests: limits their time, and sends them again where that is safe. */
import { AnswerError, ConnectionError, ProblemError, TimeoutError } from './errors.js';
import type { Problem } from './errors.js';
import type { CallOptions, ClientOptions } from './options.js';

export interface Sending {
  readonly path: string;
  readonly accept: string;
  readonly body: string;
}

export interface Repetition {
  /** Whether the request can be sent twice without a further effect. */
  readonly isRepeatable: boolean;
  readonly limit: Limit;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 2;
const FIRST_PAUSE_MS = 100;
/** A call fails at once if it is asked to wait longer than this, or than its own limit. */
const PAUSE_MS_MAX = 60_000;
/** `setTimeout` ends a longer time at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Limits the time of a call: `signal` aborts it, and `reasonOf` returns why it ended. */
export interface Limit {
  readonly signal: AbortSignal;
  reasonOf(error: unknown): unknown;
  /** The time until the limit; `Infinity` without one. */
  leftMs(): number;
  /** The call is over, or, for a stream, has an answer: it has no time limit any more. */
  stopClock(): void;
  end(): void;
}

export function startLimit(client: ClientOptions, call: CallOptions): Limit {
  const timeoutMs = call.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS;
  const controller = new AbortController();
  const given = call.signal;
  const follow = () => controller.abort(given?.reason);
  const expire = () =>
    controller.abort(new TimeoutError(`There was no answer within ${timeoutMs} ms.`));
  if (given?.aborted) follow();
  given?.addEventListener('abort', follow);
  const isLimited = timeoutMs > 0 && timeoutMs <= TIMER_MS_MAX;
  const deadline = isLimited ? Date.now() + timeoutMs : Infinity;
  const clock = isLimited ? setTimeout(expire, timeoutMs) : undefined;
  const { signal } = controller;
  const stopClock = () => clearTimeout(clock);
  return {
    signal,
    reasonOf: (error): unknown => (signal.aborted ? signal.reason : error),
    leftMs: () => deadline - Date.now(),
    stopClock,
    end: () => {
      stopClock();
      given?.removeEventListener('abort', follow);
    },
  };
}

/** Waits for a promise until the call is over. */
export function within<T>({ signal }: Limit, waited: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    waited.then(resolve, reject);
  });
}

/** Sends a request until `read` has its answer, or it cannot be sent again. */
export function send<T>(
  client: ClientOptions,
  call: CallOptions,
  sending: Sending & Repetition,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal } = sending.limit;
  return repeat(client, call, sending, async () =>
    read(await sendOnce(client, call, sending, signal)),
  );
}

/** Calls `attempt` until it succeeds, or may not be called again. Rejects when the time is over. */
export async function repeat<T>(
  client: ClientOptions,
  call: CallOptions,
  { isRepeatable, limit }: Repetition,
  attempt: () => Promise<T>,
): Promise<T> {
  const retries = isRepeatable ? (call.retries ?? client.retries ?? RETRIES) : 0;
  for (let failures = 0; ; failures += 1) {
    limit.signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const mended = asConnectionError(error);
      if (limit.signal.aborted) throw limit.reasonOf(error);
      if (failures >= retries || !isPassing(mended)) throw mended;
      const askedMs = askedPauseMs(mended);
      // The error says more than that the time is over.
      if (askedMs > 0 && askedMs > Math.min(limit.leftMs(), PAUSE_MS_MAX)) throw mended;
      await pause(askedMs + usualPauseMs(failures), limit);
    }
  }
}

/** Sends a request, and resolves to a successful answer. */
export async function sendOnce(
  client: ClientOptions,
  call: CallOptions,
  { path, accept, body }: Sending,
  signal: AbortSignal,
): Promise<Response> {
  const { url, key, headers, fetch: own = fetch } = client;
  const credential = typeof key === 'function' ? await key() : key;
  const response = await own(`${String(url).replace(/\/+$/, '')}/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept,
      ...headers,
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
    },
    body,
    signal,
  });
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response: Response): Promise<Error> {
  const { status, headers } = response;
  const retryAfter = secondsIn(headers.get('retry-after'));
  const problem = problemIn(parseOrNothing(await response.text()));
  if (problem) return new ProblemError(problem, retryAfter);
  return new AnswerError(status, `The answer has the status ${status}.`, { retryAfter });
}

/** The value as a problem, if it is one of the gateway's. */
export function problemIn(value: unknown): Problem | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  return String(value.type).startsWith('urn:rowgate:problem:') ? (value as Problem) : undefined;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (!Number.isNaN(seconds)) return seconds;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** `fetch` reports any failure of the network as a TypeError. */
export function asConnectionError(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  return new ConnectionError(`The gateway cannot be reached: ${cause.message}`, { cause: error });
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof AnswerError) return [429, 502, 503].includes(error.status);
  if (!(error instanceof ProblemError) || error.code === 'outcome-unknown') return false;
  return error.status === 503 || error.status === 429;
}

/** How long the answer asks to wait. */
function askedPauseMs(error: unknown): number {
  const isAnswer = error instanceof ProblemError || error instanceof AnswerError;
  return isAnswer ? (error.retryAfter ?? 0) * 1000 : 0;
}

/** Twice as long each time, with a random part. */
function usualPauseMs(failures: number): number {
  return FIRST_PAUSE_MS * 2 ** failures * (0.5 + Math.random());
}

function pause(durationMs: number, { signal }: Limit): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, durationMs);
    signal.addEventListener('abort', stop, { once: true });
  });
}
