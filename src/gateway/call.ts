/** A request after routing: what a handler receives, and the methods that answer it. */
import type { Problem } from '../engine/index.js';
import type { Principal } from './access/principal.js';
import type { Scope } from './choose-view.js';
import { CompressedResponse } from './compressed-response.js';
import type { Failure } from './dispatcher/sinks.js';
import { entityTagOf, isNoneMatchMet } from './entity-tag.js';
import {
  INTERNAL_PROBLEM,
  type KnownProblem,
  problemBody,
  publicProblem,
  Refusal,
  statusOf,
} from './errors.js';
import type { AnswerStream, Exchange, Header } from './http/exchange.js';
import { concernsOperators, type RequestFailure } from './observe.js';
import type { PrebuiltHeaders } from './http/prebuilt-headers.js';
import { problemHeaders } from './problem-headers.js';
import { admitAll, type AdmitQuery, type Limiter } from './rate-limit.js';
import type { RequestId } from './request-id.js';
import type { Service } from './service.js';
import { Stopwatch } from './stopwatch.js';
import { sqlCommentOf } from './tracing/sql-comment.js';
import type { RequestSpan } from './tracing/tracer.js';
import { type AnswerName, indented, stringifyAnswer } from './small-answers.js';
import type { RouteCounts } from './statistics/traffic.js';

export const JSON_TYPE: Header = ['content-type', 'application/json; charset=utf-8'];
/** The value of `cache-control`: a copy may be stored, but must be validated each time. */
const NO_CACHE: Header = ['cache-control', 'no-cache'];
const CLIENT_GONE_STATUS = 499;
const BEAUTIFUL = /(?:^|&)format=beautiful(?:&|$)/;
const ASKS_TIMING = /(?:^|&)timing=true(?:&|$)/;

export interface CallOptions {
  readonly exchange: Exchange;
  readonly service: Service;
  readonly requestId: RequestId;
  /** The percent-decoded values of the `{…}` segments of the route. */
  readonly parameters: readonly string[];
  /** Limits the requests of the client's address. */
  readonly limiter?: Limiter | undefined;
  readonly route: RouteCounts;
}

export interface RowsHeaders {
  readonly headers: readonly Header[];
  /** The same headers followed by the request id, for ids that Rowgate created. */
  readonly head: PrebuiltHeaders;
}

export class Call {
  readonly exchange: Exchange;
  readonly service: Service;
  readonly parameters: readonly string[];
  readonly principal: Principal | undefined;
  /** Whether the client asks for `format=beautiful`. */
  readonly pretty: boolean;
  /** By `performance.now()`. */
  readonly startedAt = performance.now();
  /** Set if it matters where its time goes. */
  readonly stopwatch: Stopwatch | undefined;
  readonly #requestId: RequestId;
  readonly #route: RouteCounts;
  /** The client's address, if the request is logged. */
  #address: string | undefined;
  /** Set if answers may be compressed. */
  readonly #response: CompressedResponse | undefined;
  readonly #showsTiming: boolean;
  /** Set if requests are traced. */
  readonly #span: RequestSpan | undefined;
  readonly #limiter: Limiter | undefined;
  readonly #admitOfSender: AdmitQuery | undefined;
  #isObserved = false;

  /**
   * `principal` is the sender of the request; undefined if neither keys nor tokens are needed. `admit`
   * applies the limit of its rate.
   */
  constructor(options: CallOptions, principal?: Principal, admit?: AdmitQuery) {
    this.#limiter = options.limiter;
    this.#admitOfSender = admit;
    this.exchange = options.exchange;
    this.#route = options.route;
    this.service = options.service;
    this.#requestId = options.requestId;
    this.parameters = options.parameters;
    this.principal = principal;
    const { query } = options.exchange;
    this.pretty = query !== '' && BEAUTIFUL.test(query);
    const { serverTiming } = options.service.configuration;
    const asksTiming = query !== '' && serverTiming === 'asked' && ASKS_TIMING.test(query);
    this.#showsTiming = asksTiming || serverTiming === 'on';
    const { tracer } = options.service;
    if (tracer) {
      const { method, path, headers } = options.exchange;
      const { traceparent } = headers;
      const { startedAt } = this;
      this.#span = tracer.begin({ method, path, traceparent, startedAt, route: this.#route.path });
    }
    if (this.#showsTiming || tracer) this.stopwatch = new Stopwatch(this.startedAt);
    if (options.service.observer.observesRequests) {
      this.#address = options.service.addressOf(options.exchange);
    }
    if (options.service.configuration.compression) {
      this.#response = new CompressedResponse(options.exchange, ({ stack }) => {
        const detail = 'The answer could not be compressed.';
        this.#observeAnswer(500, { code: 'internal', detail, cause: stack, isCut: true });
      });
    }
  }

  /** True once an answer has begun. */
  get answered(): boolean {
    return this.#response?.isEncoding === true || this.exchange.answered;
  }

  get #answer() {
    return this.#response ?? this.exchange;
  }

  /** The schema in force, and the sender. */
  get scope(): Scope {
    return { catalog: this.service.catalog, principal: this.principal };
  }

  /** A comment for its statements; undefined if they have none. */
  get sqlComment(): string | undefined {
    if (!this.service.configuration.sqlComments) return undefined;
    return sqlCommentOf(this.#span?.traceparent || this.exchange.headers.traceparent);
  }

  get requestId(): string {
    return this.#requestId.text;
  }

  /** Admits further queries, each of which counts as a request; undefined if there is no limit. */
  admitQueries(): AdmitQuery | undefined {
    const { principal } = this;
    const ofAddress = this.#limiter?.queriesOf(this.exchange);
    const limits = [this.#admitOfSender, ofAddress].filter((each) => each !== undefined);
    if (limits.length === 0) return undefined;
    return () => {
      if (principal) principal.counts.requests += 1;
      return admitAll(limits, undefined);
    };
  }

  /** Answers 200 with rows, in the format that the headers name. The bytes may change afterwards. */
  sendRows({ headers, head }: RowsHeaders, bytes: Uint8Array): void {
    const { exchange } = this;
    const { number } = this.#requestId;
    if (exchange.aborted) return;
    this.#addTiming();
    if (number > 0 && !this.#response) exchange.respondPrebuilt(head, number, bytes);
    else this.#answer.respond(200, [...headers, this.#idHeader()], bytes.slice());
    this.#observeDone(200);
  }

  /** Answers 200 with a text of this content type. */
  sendText(contentType: string, body: string): void {
    this.#respond(200, [['content-type', contentType], this.#idHeader()], body);
  }

  /** Answers 200 with a value that has a serializer. */
  sendAnswer(name: AnswerName, value: unknown): void {
    const body = this.pretty ? indented(value) : stringifyAnswer(name, value);
    this.#respond(200, [JSON_TYPE, this.#idHeader()], body);
  }

  /** Answers 200 with a value without a serializer. */
  sendValue(value: unknown): void {
    const body = this.pretty ? indented(value) : JSON.stringify(value);
    this.#respond(200, [JSON_TYPE, ['cache-control', 'no-store'], this.#idHeader()], body);
  }

  /** Answers with a description and its entity tag, or 304 if the client already has it. */
  sendDescription(value: unknown): void {
    const body = this.pretty ? indented(value) : JSON.stringify(value);
    const tag = entityTagOf(body, this.#response?.codingFor(Buffer.byteLength(body)));
    const headers: Header[] = [['etag', tag], NO_CACHE, this.#idHeader()];
    const isKnown = isNoneMatchMet(this.exchange.headers['if-none-match'], tag);
    if (isKnown) this.#respond(304, headers, undefined);
    else this.#respond(200, [JSON_TYPE, ...headers], body);
  }

  /** Answers with unchanged bytes, whatever `--compression` says, or 304 if the client has them. */
  sendFile(tag: string, headers: readonly Header[], bytes: Uint8Array<ArrayBuffer>): void {
    const { exchange } = this;
    if (exchange.aborted) return;
    const all: Header[] = [...headers, ['etag', tag], this.#idHeader()];
    const isKnown = isNoneMatchMet(exchange.headers['if-none-match'], tag);
    if (isKnown) exchange.respondBodiless(304, all);
    else exchange.respond(200, all, bytes);
    this.#observeDone(isKnown ? 304 : 200);
  }

  /** Answers without a body. */
  sendEmpty(status: number, headers: readonly Header[]): void {
    this.#respond(status, [...headers, this.#idHeader()], undefined);
  }

  /** Answers with a problem that occurred in the gateway. */
  sendProblem(problem: KnownProblem, headers: readonly Header[] = []): void {
    this.#sendProblem(problem, headers);
  }

  /** Answers with a failure of a worker, and logs its cause. */
  sendFailure({ problem, stack }: Failure): void {
    this.#sendProblem(publicProblem(problem), [], failureOf(problem, stack));
  }

  /** The problem of one query of several, as it would be answered alone. Logs its cause. */
  describeFailure({ problem, stack }: Failure): ReturnType<typeof problemBody> {
    const { status, body } = problemBody(publicProblem(problem), this.requestId);
    const failure = failureOf(problem, stack);
    this.service.traffic.failed(failure.code);
    this.#countRefusal(status);
    this.#prepareReport(status, failure);
    if (concernsOperators(status, failure)) {
      this.#report(status, performance.now() - this.startedAt, failure);
    }
    return { status, body };
  }

  /**
   * Answers a `Refusal` as its problem. Anything else is an internal error, which is logged under the
   * request's id. It is answered with 500, or by closing the connection if the answer has begun.
   */
  sendFault(error: unknown): void {
    if (error instanceof Refusal) return this.sendProblem(error.problem);
    const cause = error instanceof Error ? error.stack : String(error);
    const failure = { code: 'internal', detail: String(error), cause };
    if (!this.answered) return this.#sendProblem(INTERNAL_PROBLEM, [], failure);
    this.#observeAnswer(500, { ...failure, isCut: true });
    this.exchange.abort();
  }

  /** Begins an answer whose rows arrive in parts. */
  stream(headers: readonly Header[]): AnswerStream {
    this.#addTiming();
    return this.#answer.stream(200, [...headers, this.#idHeader()]);
  }

  /** Records a streamed answer after its end. */
  streamed(): void {
    this.#observeDone(200);
  }

  /** Cuts the connection of a streamed answer that cannot be completed, and logs why. */
  breakOff(stream: AnswerStream, failure: Failure): void {
    this.#observeBroken(failure);
    stream.abort();
  }

  /** Ends a streamed answer that cannot be completed with a line that says so, and logs why. */
  endWithFault(stream: AnswerStream, failure: Failure): void {
    this.#observeBroken(failure);
    const { body } = problemBody(publicProblem(failure.problem), this.requestId);
    stream.write(Buffer.from(`{"error":${body}}\n`));
    stream.end();
  }

  /** Calls the listener when the client disconnects, and logs that as 499. */
  onAbort(listener: () => void): void {
    this.exchange.onAbort(() => {
      this.#observeAnswer(CLIENT_GONE_STATUS, CLIENT_GONE);
      this.#response?.release();
      listener();
    });
  }

  /** Observes an answer that was handed over, when the client's system has it or the client has disconnected. */
  #observeDone(status: number): void {
    const { exchange } = this;
    if (exchange.isDone) return this.#observeAnswer(status);
    const ms = performance.now() - this.startedAt;
    exchange.onDone(() => {
      if (exchange.aborted) this.#observeAnswer(CLIENT_GONE_STATUS, CLIENT_GONE);
      else this.#observeAnswer(status, undefined, ms);
    });
  }

  /** Only the first call has an effect: a client may disconnect after its answer has failed. */
  #observeAnswer(status: number, failure?: RequestFailure, answeredMs?: number): void {
    if (this.#isObserved) return;
    this.#isObserved = true;
    const ms = answeredMs ?? performance.now() - this.startedAt;
    this.#route.count(status, ms);
    if (failure) this.service.traffic.failed(failure.code);
    this.#span?.end({ requestId: this.requestId, status, failure, stopwatch: this.stopwatch });
    const { observesRequests } = this.service.observer;
    const isToTell = failure !== undefined && concernsOperators(status, failure);
    if (observesRequests || isToTell) this.#report(status, ms, failure);
  }

  #report(status: number, ms: number, failure: RequestFailure | undefined): void {
    const { requestId } = this;
    const { method, path, headers } = this.exchange;
    const { traceparent } = headers;
    const address = this.#address ?? '';
    const principal = this.principal?.name;
    const durationMs = Math.round(ms * 1000) / 1000;
    const request = {
      requestId,
      method,
      path,
      status,
      durationMs,
      address,
      traceparent,
      principal,
      failure,
    };
    this.service.observer.observe({ kind: 'request', request });
  }

  #sendProblem(
    problem: Problem,
    headers: readonly Header[],
    failure: RequestFailure = failureOf(problem),
  ): void {
    const { status, body } = problemBody(problem, this.requestId);
    this.#prepareReport(status, failure);
    this.#countRefusal(status);
    const own = problemHeaders(problem.code, status, this.exchange.headers.authorization);
    const all = [...own, this.#idHeader(), ...headers];
    this.#respond(status, all, body, failure);
  }

  /** Reads the address of the client, which is not known after the answer, and takes long to read. */
  #prepareReport(status: number, failure: RequestFailure): void {
    if (!concernsOperators(status, failure) || this.exchange.aborted) return;
    if (this.service.observer.onlyCounts?.(failure.code) === true) return;
    this.#address ??= this.service.addressOf(this.exchange);
  }

  #countRefusal(status: number): void {
    if (this.principal && (status === 403 || status === 429)) this.principal.counts.refused += 1;
  }

  #respond(
    status: number,
    headers: readonly Header[],
    body: string | Uint8Array<ArrayBuffer> | undefined,
    failure?: RequestFailure,
  ): void {
    if (this.exchange.aborted) return;
    this.#addTiming();
    if (body === undefined) this.#answer.respondBodiless(status, headers);
    else this.#answer.respond(status, headers, body);
    if (failure) this.#observeAnswer(status, failure);
    else this.#observeDone(status);
  }

  /** Errors of the connection after this point are not the client's disconnect. */
  #observeBroken({ problem, stack }: Failure): void {
    this.exchange.onAbort(() => this.#response?.release());
    const failure = { ...failureOf(problem, stack), isCut: true } as const;
    this.#observeAnswer(statusOf(problem.code), failure);
  }

  #addTiming(): void {
    if (this.stopwatch === undefined || !this.#showsTiming) return;
    this.exchange.addHeaders([['server-timing', this.stopwatch.header(performance.now())]]);
  }

  #idHeader(): Header {
    return ['x-request-id', this.requestId];
  }
}

/** The error about JSON quotes the body, which the log must not contain. */
function failureOf({ code, detail }: Problem, cause?: string): RequestFailure {
  return { code, detail: code === 'body-not-json' ? 'The body is not JSON.' : detail, cause };
}

const CLIENT_GONE: RequestFailure = { code: 'cancelled', detail: 'The client disconnected.' };
