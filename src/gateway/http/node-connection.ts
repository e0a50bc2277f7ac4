/**
 * What node:http leaves open about a connection: what stands behind a request that was refused, where a
 * refusal stands among answers, and whether a client that has closed its side has left.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLOSE, HALF_CLOSED_MS } from './exchange.js';
import { problemAnswer, REQUEST_MALFORMED, refusalOf } from './refusal.js';

export class NodeConnection {
  readonly #socket: Duplex;
  /** The responses that are not complete. */
  readonly #open = new Set<ServerResponse>();
  /** Those of which a client that has closed its side may have its answer. */
  readonly #awaited = new WeakSet<ServerResponse>();
  /** Set once a request was refused: nothing behind it counts. */
  #isRefused = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.once('end', () => this.#awaitAnswers());
  }

  /** Whether a request is to be answered; else it has been refused, or is to be ignored. */
  accepts(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isRefused) return false;
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    if (CLOSE.test(request.headers.connection ?? '')) this.#awaited.add(response);
    if (!isMalformed(request)) return true;
    this.#isRefused = true;
    const { status, headers, body } = problemAnswer(REQUEST_MALFORMED);
    response.writeHead(status, [...headers, ['connection', 'close'] as const].flat());
    response.end(body);
    return false;
  }

  /** That the client closes its side is no leaving, for {@link HALF_CLOSED_MS}. */
  waitFor(response: ServerResponse): void {
    this.#awaited.add(response);
  }

  /** That the client closes its side is a leaving, unless it has said that it will. */
  watch(response: ServerResponse): void {
    if (CLOSE.test(response.req.headers.connection ?? '')) return;
    this.#awaited.delete(response);
    if (this.#socket.readableEnded) this.#socket.destroy();
  }

  /** Answers what the parser has refused, behind the answers that are due, and hangs up. */
  refuse(error: Error): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    const due = [...this.#open].filter(({ req }) => req.complete).at(-1);
    if (due === undefined) this.#hangUp(error);
    else due.once('close', () => this.#hangUp(error));
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  #hangUp(error: Error): void {
    const hasBegun = [...this.#open].some(({ headersSent }) => headersSent);
    if (this.#socket.writable && !hasBegun) this.#socket.end(refusalOf(error));
    else this.#socket.destroy();
  }

  /** The client has closed its side, or has left. */
  #awaitAnswers(): void {
    const isAwaited = [...this.#open].every((response) => this.#awaited.has(response));
    const leave = (): void => {
      if (this.#open.size > 0) this.#socket.destroy();
    };
    if (isAwaited) setTimeout(leave, HALF_CLOSED_MS).unref();
    else leave();
  }
}

const CHUNKED = /^chunked$/i;

/** Whether the headers leave open where the body ends, or who is asked, where the parser takes them. */
function isMalformed({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const isCurrent = httpVersion === '1.1';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (!isCurrent || !CHUNKED.test(rawHeaders[at + 1] ?? '')) return true;
    }
  }
  return hosts > 1 || (isCurrent && hosts === 0);
}
