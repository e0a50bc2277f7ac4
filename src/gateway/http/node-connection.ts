/**
 * Decides what node:http leaves open about a connection: whether requests after a refused one
 * count, when a refusal is sent among other answers, and whether a client that has closed its side
 * has disconnected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CLOSE, HALF_CLOSED_MS } from './exchange.js';
import { REQUEST_MALFORMED, refusalOf } from './refusal.js';

export class NodeConnection {
  readonly #socket: Duplex;
  /** The incomplete responses. */
  readonly #open = new Set<ServerResponse>();
  /** The responses that a client may still receive after it has closed its side. */
  readonly #awaited = new WeakSet<ServerResponse>();
  /** The bytes that had arrived at the end of the last answer. */
  #bytesRead = 0;
  /** Set when a request was refused; everything after it is ignored. */
  #isRefused = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.once('end', () => this.#awaitAnswers());
    // After that of node:http, which closes only the first response.
    socket.once('close', () => setImmediate(() => this.#closeAll()));
  }

  /** Whether to answer a request. If not, it was refused here, or comes after a refused one. */
  accepts(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isRefused) return false;
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      this.#bytesRead = request.socket.bytesRead;
    });
    if (CLOSE.test(request.headers.connection ?? '')) this.#awaited.add(response);
    if (!isMalformed(request)) return true;
    this.#isRefused = true;
    const { status, headers, body } = REQUEST_MALFORMED;
    response.writeHead(status, [...headers, ['connection', 'close'] as const].flat());
    response.end(body);
    return false;
  }

  /** From now on, a client that closes its side counts as connected for {@link HALF_CLOSED_MS}. */
  waitFor(response: ServerResponse): void {
    this.#awaited.add(response);
  }

  /** A client that closes its side counts as disconnected, unless it has announced that. */
  watch(response: ServerResponse): void {
    if (CLOSE.test(response.req.headers.connection ?? '')) return;
    this.#awaited.delete(response);
    if (this.#socket.readableEnded) this.#socket.destroy();
  }

  /**
   * Answers a request that the parser refused, after the answers that are due, and closes the
   * connection. One that takes too long is not answered.
   */
  refuse(error: Error): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    const due = [...this.#open].filter(({ req }) => req.complete).at(-1);
    if (due === undefined) this.#hangUp(error);
    else due.once('close', () => this.#hangUp(error));
  }

  /** Whether all requests are answered, and nothing of another one has arrived. */
  isIdle(bytesRead: number): boolean {
    return this.#open.size === 0 && bytesRead === this.#bytesRead;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  #hangUp(error: Error): void {
    const hasBegun = [...this.#open].some(({ headersSent }) => headersSent);
    const isLate = 'code' in error && LATE.has(String(error.code));
    if (!this.#socket.writable || hasBegun || isLate) {
      this.#socket.destroy();
      return;
    }
    this.#socket.end(refusalOf(error));
    // The client may never close its side.
    setTimeout(() => this.#socket.destroy(), HALF_CLOSED_MS).unref();
  }

  /** Requests that are pipelined behind another one end with the connection, too. */
  #closeAll(): void {
    for (const response of [...this.#open]) response.emit('close');
  }

  /** The client has closed its side, or has disconnected. */
  #awaitAnswers(): void {
    const isAwaited = [...this.#open].every((response) => this.#awaited.has(response));
    const leave = (): void => {
      if (this.#open.size > 0) this.#socket.destroy();
    };
    if (isAwaited) setTimeout(leave, HALF_CLOSED_MS).unref();
    else leave();
  }
}

/** The errors of node:http for a head, or a TLS handshake, that takes too long. */
const LATE: ReadonlySet<string> = new Set([
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
]);

const CHUNKED = /^chunked$/i;

/** Whether the parser has accepted headers with an ambiguous end of the body or host. */
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
