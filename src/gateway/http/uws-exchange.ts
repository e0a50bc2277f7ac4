/**
 * An Exchange on uWebSockets.js. Attaches the abort handler before anything else and copies what is
 * needed of the request, which is gone once the handler returns; never touches a response that has
 * ended or been aborted.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { invariant } from '../../engine/index.js';
import type { Deadlines, Expiring } from './deadlines.js';
import {
  type AnswerStream,
  CLOSE,
  EMPTY_HEADER,
  type Exchange,
  HALF_CLOSED_MS,
  type Header,
  type RequestHeaders,
  type SharedByExchanges,
} from './exchange.js';
import type { PrebuiltHeaders } from './prebuilt-headers.js';
import type { ProblemAnswer } from './refusal.js';
import { statusLine } from './status-line.js';
import { UwsLargeAnswer } from './uws-large-answer.js';
import { type UwsAnswerOwner, CORK_BYTES_MAX } from './uws-response.js';
import { UwsAnswerStream } from './uws-stream.js';

/** What all exchanges of a server share. */
export interface SharedByUwsExchanges extends SharedByExchanges {
  readonly deadlines: Deadlines;
}

export class UwsExchange implements Exchange, Expiring {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Bytes of names and values of all headers, and of the target. */
  readonly headBytes: number;
  /** Whether the headers leave open where the body ends, or who is asked: nothing behind it can be trusted. */
  readonly malformed: boolean;
  /** Whether the client has said that it sends no more requests: it may close its side. */
  readonly #isLast: boolean;
  readonly #response: HttpResponse;
  readonly #shared: SharedByUwsExchanges;
  #phase: 'open' | 'answering' | 'done' | 'aborted' = 'open';
  #paused = false;
  /** Whether what comes behind the request is left unread until a deadline. */
  #resting = false;
  #abortListener: (() => void) | undefined;
  #doneListener: (() => void) | undefined;
  #added: readonly Header[] | undefined;
  /** What is being sent, beyond what fits one cork. */
  #sending: UwsAnswerStream | UwsLargeAnswer | undefined;

  constructor(
    response: HttpResponse,
    request: HttpRequest,
    shared: SharedByUwsExchanges,
    method = request.getCaseSensitiveMethod(),
    path = request.getUrl(),
  ) {
    response.onAborted(() => this.#onAborted());
    shared.inFlight++;
    this.#response = response;
    this.#shared = shared;
    this.method = method;
    this.path = path;
    this.query = request.getQuery() ?? '';
    const { headers, bytes, malformed, isLast } = copyHeaders(request);
    this.headers = headers;
    this.malformed = malformed;
    this.#isLast = isLast;
    this.headBytes = bytes + this.path.length + this.query.length;
  }

  get aborted(): boolean {
    return this.#phase === 'aborted';
  }

  get answered(): boolean {
    return this.#phase !== 'open';
  }

  remoteAddress(): string {
    return Buffer.from(this.#response.getRemoteAddressAsText()).toString();
  }

  addHeaders(headers: readonly Header[]): void {
    this.#added = this.#added ? [...this.#added, ...headers] : headers;
  }

  onDone(listener: () => void): void {
    this.#doneListener = listener;
  }

  onData(take: (bytes: Uint8Array<ArrayBuffer>, last: boolean) => void): void {
    this.#response.onData((chunk, last) => {
      if (last && this.#isLast) this.#rest();
      take(new Uint8Array(chunk), last);
    });
  }

  hold(work: () => void): void {
    this.#rest();
    // The library reads on when this returns, and hangs up on what it refuses.
    setImmediate(() => {
      if (this.#phase === 'open') work();
    });
  }

  release(): void {
    if (!this.#isLast) this.#restNoMore();
  }

  /**
   * Leaves unread what comes behind the body, for a while. Read, it would end the connection: a next
   * request, because this one is not answered, and the end of the client's side in any case.
   */
  #rest(): void {
    if (this.#phase !== 'open' || this.#paused) return;
    this.pause();
    this.#restFor(HALF_CLOSED_MS);
  }

  /** From a resume on, the library hangs up after ten seconds without another. */
  #restNoMore(): void {
    if (this.#phase !== 'open') return;
    this.pause();
    this.resume();
    this.#restFor(RESUME_MS);
  }

  #restFor(milliseconds: number): void {
    this.#resting = true;
    this.#shared.deadlines.set(this, milliseconds);
  }

  expired(): void {
    this.#resting = false;
    this.#restNoMore();
  }

  pause(): void {
    if (this.#phase !== 'open' || this.#paused) return;
    this.#paused = true;
    this.#response.pause();
  }

  resume(): void {
    if (this.#phase === 'aborted' || !this.#paused) return;
    this.#paused = false;
    this.#response.resume();
  }

  respond(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    if (this.#phase === 'aborted') return;
    invariant(this.#phase === 'open', 'an exchange is answered once');
    // A connection that stays paused would never read its next request.
    this.resume();
    if (this.method === 'HEAD') this.#respondHead(status, headers, Buffer.byteLength(body));
    else if (isLarge(body)) this.#respondLarge(status, headers, body);
    else this.#respondSmall(status, headers, body);
  }

  respondPrebuilt(head: PrebuiltHeaders, value: number, body: Uint8Array): void {
    const isPlain = !isLarge(body) && !this.#shared.draining && !this.#added;
    if (this.#phase !== 'open' || !isPlain || this.method === 'HEAD') {
      this.respond(200, head.headersFor(value), body);
      return;
    }
    this.resume();
    this.#finish();
    const response = this.#response;
    response.cork(() => {
      response.writeHeader(head.name, head.bytesFor(value));
      response.end(body);
    });
  }

  respondBodiless(status: number, headers: readonly Header[]): void {
    if (this.#phase === 'aborted') return;
    invariant(this.#phase === 'open', 'an exchange is answered once');
    this.resume();
    this.#respondBodiless(status, headers);
  }

  stream(status: number, headers: readonly Header[]): AnswerStream {
    invariant(this.#phase === 'open' || this.#phase === 'aborted', 'an exchange is answered once');
    if (this.#phase === 'open') {
      this.#phase = 'answering';
      this.resume();
      this.#response.cork(() => this.#writeHead(status, this.#withConnection(headers)));
    }
    const stream = new UwsAnswerStream(this.#response, this.#answerOwner());
    this.#sending = stream;
    return stream;
  }

  abort(): void {
    if (this.#phase === 'open' || this.#phase === 'answering') this.#response.close();
  }

  onAbort(listener: () => void): void {
    this.#abortListener = listener;
  }

  /**
   * Refuses a request, and whatever stands behind it: an answer that does not fit the cork is sent at
   * once, so that the library hangs up before it reads on.
   */
  refuse({ status, headers, body }: ProblemAnswer): void {
    this.#finish();
    this.#writeHead(status, headers);
    this.#response.end(body.padEnd(CORK_BYTES_MAX + 2048), true);
  }

  #respondSmall(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    const closes = this.#shared.draining || status === 413;
    this.#finish();
    this.#response.cork(() => {
      this.#writeHead(status, headers);
      this.#response.end(body, closes);
    });
  }

  /** `endWithoutBody(length)` would wait for that many bytes: the length goes as a plain header. */
  #respondHead(status: number, headers: readonly Header[], bodyBytes: number): void {
    this.#respondBodiless(status, [...headers, ['content-length', String(bodyBytes)]]);
  }

  #respondBodiless(status: number, headers: readonly Header[]): void {
    this.#finish();
    this.#response.cork(() => {
      this.#writeHead(status, this.#withConnection(headers));
      this.#response.endWithoutBody();
    });
  }

  #respondLarge(status: number, headers: readonly Header[], body: string | Uint8Array): void {
    this.#phase = 'answering';
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const answer = new UwsLargeAnswer(this.#response, bytes, this.#answerOwner());
    this.#sending = answer;
    this.#response.cork(() => {
      this.#writeHead(status, this.#withConnection(headers));
      answer.send();
    });
  }

  #answerOwner(): UwsAnswerOwner {
    return {
      isOpen: () => this.#phase === 'answering',
      finished: () => this.#finish(),
      cut: () => this.abort(),
      writeStallMs: this.#shared.writeStallMs,
    };
  }

  #withConnection(headers: readonly Header[]): readonly Header[] {
    return this.#shared.draining ? [...headers, ['connection', 'close']] : headers;
  }

  #writeHead(status: number, headers: readonly Header[]): void {
    // The library begins with `200 OK` by itself.
    if (status !== 200) this.#response.writeStatus(statusLine(status));
    const [first, ...rest] = this.#added ? [...headers, ...this.#added] : headers;
    if (first === undefined) return;
    // One call for all: crossing to the library costs more than the text does.
    let value = first[1];
    for (const header of rest) value += `\r\n${header[0]}: ${header[1]}`;
    this.#response.writeHeader(first[0], value);
  }

  #finish(): void {
    if (this.#resting) this.#shared.deadlines.delete(this);
    this.#phase = 'done';
    this.#shared.inFlight--;
    this.#doneListener?.();
  }

  #onAborted(): void {
    if (this.#phase === 'done' || this.#phase === 'aborted') return;
    if (this.#resting) this.#shared.deadlines.delete(this);
    this.#phase = 'aborted';
    this.#shared.inFlight--;
    this.#sending?.release();
    this.#abortListener?.();
    this.#doneListener?.();
  }
}

/** Well below the ten seconds that the library waits. */
const RESUME_MS = 4000;

/** Whether a body may not fit one cork. */
function isLarge(body: string | Uint8Array): boolean {
  if (body.length > CORK_BYTES_MAX) return true;
  return typeof body === 'string' && Buffer.byteLength(body) > CORK_BYTES_MAX;
}

interface CopiedHeaders {
  readonly headers: RequestHeaders;
  readonly bytes: number;
  /** Whether they leave open where the body ends, or for whom the request is. */
  readonly malformed: boolean;
  /** Whether the client asks to close the connection. */
  readonly isLast: boolean;
}

const CHUNKED = /^chunked$/i;

/**
 * One walk over all headers: no dearer than a look-up for each that is wanted, and it measures them.
 * Of a header that is given twice the first counts, as it does for the library.
 */
function copyHeaders(request: HttpRequest): CopiedHeaders {
  let contentType = '';
  let accept = '';
  let contentLength = '';
  let requestId = '';
  let traceparent = '';
  let ifNoneMatch = '';
  let acceptEncoding = '';
  let idempotencyKey = '';
  let contentEncoding = '';
  let origin = '';
  let forwardedFor = '';
  let malformed = false;
  let isLast = false;
  let hasHost = false;
  let isCoded = false;
  let bytes = 0;
  // Variables, not members by name: the names are fresh strings, and slow as keys.
  request.forEach((name, value) => {
    bytes += name.length + value.length;
    // By the length first: to compare fresh strings is dear.
    switch (name.length) {
      case 4:
        if (name !== 'host') return;
        malformed ||= hasHost;
        hasHost = true;
        return;
      case 6:
        if (name === 'accept') accept ||= value;
        else if (name === 'origin') origin ||= value;
        return;
      case 10:
        if (name === 'connection') isLast ||= CLOSE.test(value);
        return;
      case 11:
        if (name === 'traceparent') traceparent ||= value;
        return;
      case 12:
        if (name === 'content-type') contentType ||= value;
        else if (name === 'x-request-id') requestId ||= value;
        return;
      case 13:
        if (name === 'if-none-match') ifNoneMatch ||= value;
        return;
      case 14:
        if (name !== 'content-length') return;
        // The library takes the first; another one may have been taken by a proxy before it.
        malformed ||= contentLength !== '' || value === '';
        contentLength = value;
        return;
      case 15:
        if (name === 'accept-encoding') acceptEncoding ||= value;
        // What is not ASCII is stripped by the library, at times to nothing.
        else if (name === 'idempotency-key') idempotencyKey ||= value || EMPTY_HEADER;
        else if (name === 'x-forwarded-for')
          forwardedFor += forwardedFor === '' ? value : `,${value}`;
        return;
      case 16:
        if (name === 'content-encoding') contentEncoding ||= value;
        return;
      case 17:
        if (name !== 'transfer-encoding') return;
        // The library reads any as chunks.
        malformed ||= isCoded || !CHUNKED.test(value);
        isCoded = true;
        return;
      default:
    }
  });
  const headers: RequestHeaders = {
    'content-type': contentType,
    'content-encoding': contentEncoding,
    accept,
    'content-length': contentLength,
    'x-request-id': requestId,
    traceparent,
    'if-none-match': ifNoneMatch,
    'accept-encoding': acceptEncoding,
    'idempotency-key': idempotencyKey,
    origin,
    'x-forwarded-for': forwardedFor,
  };
  return { headers, bytes, malformed, isLast };
}
