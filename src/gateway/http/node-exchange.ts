/** An Exchange on node:http that behaves like the one on uWebSockets.js. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BaseExchange } from './base-exchange.js';
import {
  type AnswerBody,
  type AnswerOwner,
  type AnswerStream,
  EMPTY_HEADER,
  type Exchange,
  type Header,
  type HeaderName,
  RECEIVE_STALL_MS,
  type RequestHeaders,
  type SharedByExchanges,
} from './exchange.js';
import { type Expiring, NO_DEADLINE } from './deadlines.js';
import type { NodeConnection } from './node-connection.js';
import { nodePatience } from './node-patience.js';
import { NodeAnswerStream } from './node-stream.js';
import type { PacedAnswers } from './paced-answers.js';
import type { PrebuiltHeaders } from './prebuilt-headers.js';
import { REQUEST_MALFORMED } from './refusal.js';

export interface SharedByNodeExchanges extends SharedByExchanges {
  readonly answers: PacedAnswers;
}

export class NodeExchange
  extends BaseExchange<SharedByNodeExchanges>
  implements Exchange, Expiring, AnswerOwner
{
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  deadlineIndex = NO_DEADLINE;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connection: NodeConnection;
  /** Whether the system has taken the whole answer. A response also finishes when its socket is destroyed. */
  #isSent = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: NodeConnection,
    shared: SharedByNodeExchanges,
  ) {
    super(shared);
    this.#request = request;
    this.#response = response;
    this.#connection = connection;
    // Runs before the server's own listener, which closes the response.
    response.prependListener('finish', () => (this.#isSent = !request.socket.destroyed));
    response.on('close', () => this.#onClose());
    request.on('error', ignoreError);
    response.on('error', ignoreError);
    const url = targetOf(request.url);
    const mark = url.indexOf('?');
    this.method = request.method ?? 'GET';
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.headers = copyHeaders(request);
  }

  remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }

  onData(take: (bytes: Uint8Array<ArrayBuffer>, last: boolean) => void): void {
    this.#awaitBody();
    const request = this.#request;
    let isWhole = false;
    const end = (bytes: Uint8Array<ArrayBuffer>): void => {
      isWhole = true;
      this.shared.deadlines.delete(this);
      take(bytes, true);
    };
    request.on('data', (chunk: Buffer<ArrayBuffer>) => {
      // A small body has arrived when its first bytes are read, and its end is an event of its own, which takes time.
      if (request.complete && request.readableLength === 0) return end(new Uint8Array(chunk));
      this.#awaitBody();
      take(chunk, false);
    });
    request.on('end', () => {
      if (!isWhole) end(new Uint8Array(0));
    });
  }

  /** Gives the client {@link RECEIVE_STALL_MS} for the next piece of its body. */
  #awaitBody(): void {
    if (this.phase === 'open' && !this.#request.complete)
      this.shared.deadlines.set(this, RECEIVE_STALL_MS);
  }

  /** Nothing of the body has arrived for too long. */
  expired(): void {
    this.abort();
  }

  hold(work: () => void): void {
    this.#connection.waitFor(this.#response);
    // The parser reads on when this returns.
    setImmediate(() => {
      if (this.phase !== 'open') return;
      if (!this.#connection.isRefused) return work();
      // What has begun, such as an import, ends without its own answer.
      this.abortListener?.();
      this.abortListener = undefined;
      const { status, headers, body } = REQUEST_MALFORMED;
      this.respond(status, headers, body);
    });
  }

  release(): void {
    this.#connection.watch(this.#response);
  }

  pause(): void {
    if (this.phase !== 'open') return;
    this.shared.deadlines.delete(this);
    this.#connection.waitFor(this.#response);
    this.#request.pause();
  }

  resume(): void {
    if (this.phase === 'open' && !this.#request.complete) this.#connection.watch(this.#response);
    this.#awaitBody();
    this.#request.resume();
  }

  respond(status: number, headers: readonly Header[], body: AnswerBody): void {
    const length: Header = ['content-length', String(Buffer.byteLength(body))];
    this.#respond(status, [...headers, length], this.method === 'HEAD' ? undefined : body);
  }

  respondPrebuilt(head: PrebuiltHeaders, value: number, body: Uint8Array): void {
    this.respond(200, head.headersFor(value), body.slice());
  }

  respondBodiless(status: number, headers: readonly Header[]): void {
    this.#respond(status, headers, undefined);
  }

  #respond(status: number, headers: readonly Header[], body: AnswerBody | undefined): void {
    if (!this.mayAnswer()) return;
    this.phase = 'answering';
    this.#writeHead(status, headers);
    this.shared.answers.send(() => this.#endNow(body));
  }

  stream(status: number, headers: readonly Header[]): AnswerStream {
    if (this.mayAnswer()) {
      this.phase = 'answering';
      this.#writeHead(status, headers);
    }
    return new NodeAnswerStream(this.#response, this);
  }

  abort(): void {
    this.#request.socket.destroy();
  }

  /** Returns false if the client has disconnected. */
  #endNow(body: string | Uint8Array | undefined): boolean {
    if (this.phase !== 'answering') return false;
    this.#response.end(body);
    // The system usually takes a small answer at once.
    if (this.#response.writableFinished) return true;
    const patience = nodePatience(this.#response, this);
    patience.wait();
    this.#response.once('close', () => patience.end());
    return true;
  }

  #writeHead(status: number, headers: readonly Header[]): void {
    this.shared.deadlines.delete(this);
    // The rest of a body over the limit is not read.
    const closes = this.shared.draining || status === 413;
    const lines: string[] = [];
    for (const [name, value] of headers) lines.push(name, value);
    for (const [name, value] of this.added ?? []) lines.push(name, value);
    if (closes) lines.push('connection', 'close');
    this.#response.writeHead(status, lines);
  }

  #onClose(): void {
    this.shared.deadlines.delete(this);
    this.end(this.#isSent ? 'done' : 'aborted');
  }
}

/** The path and query: a client may send a whole address (RFC 9112, section 3.2.2). */
function targetOf(url = '/'): string {
  if (url.startsWith('/')) return url;
  const [, target] = /^https?:\/\/[^/?#]*(.*)$/i.exec(url) ?? [];
  if (target === undefined) return url;
  return target.startsWith('/') ? target : `/${target}`;
}

function copyHeaders({ headers }: IncomingMessage): RequestHeaders {
  const read = (name: HeaderName): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : (value?.[0] ?? '');
  };
  // For each request: an object from a list of names would take ten times as long.
  return {
    'content-type': read('content-type'),
    'content-encoding': read('content-encoding'),
    accept: read('accept'),
    'content-length': read('content-length'),
    'x-request-id': read('x-request-id'),
    traceparent: read('traceparent'),
    'if-none-match': read('if-none-match'),
    'accept-encoding': read('accept-encoding'),
    'idempotency-key': headers['idempotency-key'] === '' ? EMPTY_HEADER : read('idempotency-key'),
    origin: read('origin'),
    'x-forwarded-for': read('x-forwarded-for'),
    authorization: read('authorization'),
  };
}

/** Without this listener, the `error` event of a broken connection would end the process. */
function ignoreError(): void {}
