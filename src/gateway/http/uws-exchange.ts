/**
 * An Exchange on uWebSockets.js. It attaches the abort handler first, and copies what it needs of
 * the request, which the library frees when the handler returns. It never touches an ended
 * response.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { BaseExchange } from './base-exchange.js';
import { type Expiring, NO_DEADLINE } from './deadlines.js';
import {
  type AnswerStream,
  type Exchange,
  HALF_CLOSED_MS,
  type Header,
  type RequestHeaders,
  type SharedByExchanges,
} from './exchange.js';
import type { PrebuiltHeaders } from './prebuilt-headers.js';
import { type ProblemAnswer, statusLine } from './refusal.js';
import { UwsLargeAnswer } from './uws-large-answer.js';
import { CORK_BYTES_MAX, type UwsAnswerOwner } from './uws-response.js';
import { copyHeaders } from './uws-headers.js';
import { UwsAnswerStream } from './uws-stream.js';

export class UwsExchange extends BaseExchange implements Exchange, Expiring, UwsAnswerOwner {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  /** The size of the names and values of all headers, and of the target. */
  readonly headBytes: number;
  /** Whether the end of the body or the host is ambiguous. Nothing after it can be trusted then. */
  readonly malformed: boolean;
  /** Whether the client has announced its last request: it may then close its side. */
  readonly #isLast: boolean;
  readonly #hasBody: boolean;
  /** Reading is paused until the deadline, if there is one. */
  deadlineIndex = NO_DEADLINE;
  readonly #response: HttpResponse;
  #paused = false;
  /** Reading is paused although nothing waits for that: see {@link #rest}. */
  #isResting = false;
  /** The answer being sent, if it does not fit in one cork. */
  #sending: UwsAnswerStream | UwsLargeAnswer | undefined;

  constructor(
    response: HttpResponse,
    request: HttpRequest,
    shared: SharedByExchanges,
    method = request.getCaseSensitiveMethod(),
  ) {
    super(shared);
    response.onAborted(() => this.#onAborted());
    this.#response = response;
    this.method = method;
    this.path = request.getUrl();
    this.query = request.getQuery() ?? '';
    const { headers, bytes, malformed, isLast, hasBody } = copyHeaders(request);
    this.headers = headers;
    this.malformed = malformed;
    this.#isLast = isLast;
    this.#hasBody = hasBody;
    this.headBytes = bytes + this.path.length + this.query.length;
  }

  /** Must be called when the handler has returned: it may answer later. */
  handled(): void {
    if (this.#isLast && !this.#hasBody) this.#rest();
  }

  remoteAddress(): string {
    return Buffer.from(this.#response.getRemoteAddressAsText()).toString();
  }

  onData(take: (bytes: Uint8Array<ArrayBuffer>, last: boolean) => void): void {
    this.#response.onData((chunk, last) => {
      if (last && this.#isLast) this.#rest();
      take(new Uint8Array(chunk), last);
    });
  }

  hold(work: () => void): void {
    this.#rest();
    // After this returns, the library continues to parse, and closes the connection if the input is
    // invalid.
    setImmediate(() => {
      if (this.phase === 'open') work();
    });
  }

  release(): void {
    if (!this.#isLast) this.#restNoMore();
  }

  /**
   * Pauses reading for a while, whoever resumes it. The library would close the connection if it read the
   * end of the client's side, or a next request before this one is answered.
   */
  #rest(): void {
    if (this.phase !== 'open' || this.#isResting) return;
    this.#isResting = true;
    this.pause();
    this.shared.deadlines.set(this, HALF_CLOSED_MS);
  }

  /** Resumes reading. Repeated, because the library closes a connection after ten seconds. */
  #restNoMore(): void {
    if (this.phase !== 'open') return;
    this.pause();
    this.#readOn();
    this.shared.deadlines.set(this, RESUME_MS);
  }

  expired(): void {
    this.#restNoMore();
  }

  pause(): void {
    if (this.phase !== 'open' || this.#paused) return;
    this.#paused = true;
    this.#response.pause();
  }

  resume(): void {
    if (!this.#isResting) this.#readOn();
  }

  #readOn(): void {
    this.#isResting = false;
    if (this.phase === 'aborted' || !this.#paused) return;
    this.#paused = false;
    this.#response.resume();
  }

  /** The body may change after the call. */
  respond(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    if (!this.mayAnswer()) return;
    // A paused connection would never read its next request.
    this.#readOn();
    if (this.method === 'HEAD') {
      // `endWithoutBody(length)` would wait for that many bytes.
      const length: Header = ['content-length', String(Buffer.byteLength(body))];
      this.#respondBodiless(status, [...headers, length]);
    } else if (isLarge(body)) this.#respondLarge(status, headers, body);
    else this.#respondSmall(status, headers, body);
  }

  respondPrebuilt(head: PrebuiltHeaders, value: number, body: Uint8Array): void {
    const isPlain = !isLarge(body) && !this.shared.draining && !this.added;
    if (this.phase !== 'open' || !isPlain || this.method === 'HEAD') {
      this.respond(200, head.headersFor(value), body);
      return;
    }
    this.#readOn();
    this.finish();
    const response = this.#response;
    response.cork(() => {
      response.writeHeader(head.name, head.bytesFor(value));
      response.end(body);
    });
  }

  respondBodiless(status: number, headers: readonly Header[]): void {
    if (!this.mayAnswer()) return;
    this.#readOn();
    this.#respondBodiless(status, headers);
  }

  stream(status: number, headers: readonly Header[]): AnswerStream {
    if (this.mayAnswer()) {
      this.phase = 'answering';
      this.#readOn();
      this.#response.cork(() => this.#writeHead(status, this.#withConnection(headers)));
    }
    const stream = new UwsAnswerStream(this.#response, this);
    this.#sending = stream;
    return stream;
  }

  abort(): void {
    if (this.phase === 'open' || this.phase === 'answering') this.#response.close();
  }

  /**
   * Refuses a request and everything after it. An answer larger than the cork is sent at once, so
   * the library closes the connection before it reads on.
   */
  refuse({ status, headers, body }: ProblemAnswer): void {
    this.finish();
    this.#writeHead(status, headers);
    this.#response.end(body.padEnd(CORK_BYTES_MAX + 2048), true);
  }

  #respondSmall(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    const closes = this.shared.draining || status === 413;
    this.finish();
    this.#response.cork(() => {
      this.#writeHead(status, headers);
      this.#response.end(body, closes);
    });
  }

  #respondBodiless(status: number, headers: readonly Header[]): void {
    this.finish();
    this.#response.cork(() => {
      this.#writeHead(status, this.#withConnection(headers));
      this.#response.endWithoutBody();
    });
  }

  #respondLarge(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    this.phase = 'answering';
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const answer = new UwsLargeAnswer(this.#response, bytes, this);
    this.#sending = answer;
    this.#response.cork(() => {
      this.#writeHead(status, this.#withConnection(headers));
      answer.send();
    });
  }

  #withConnection(headers: readonly Header[]): readonly Header[] {
    return this.shared.draining ? [...headers, ['connection', 'close']] : headers;
  }

  #writeHead(status: number, headers: readonly Header[]): void {
    // The library starts with `200 OK` by default.
    if (status !== 200) this.#response.writeStatus(statusLine(status));
    const [first, ...rest] = this.added ? [...headers, ...this.added] : headers;
    if (first === undefined) return;
    // A single call for all headers, because calls to the library cost more than joining texts.
    let value = first[1];
    for (const header of rest) value += `\r\n${header[0]}: ${header[1]}`;
    this.#response.writeHeader(first[0], value);
  }

  finish(): void {
    this.shared.deadlines.delete(this);
    this.end('done');
  }

  #onAborted(): void {
    if (this.phase === 'done' || this.phase === 'aborted') return;
    this.shared.deadlines.delete(this);
    this.#sending?.release();
    this.end('aborted');
  }
}

/** Well below the library's limit of ten seconds. */
const RESUME_MS = 4000;

/** Whether a body may not fit in one cork. */
function isLarge(body: string | Uint8Array): boolean {
  if (body.length > CORK_BYTES_MAX) return true;
  return typeof body === 'string' && Buffer.byteLength(body) > CORK_BYTES_MAX;
}
