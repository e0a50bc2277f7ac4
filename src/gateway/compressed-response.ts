/** Compresses large answers for clients that accept it. */
import {
  COMPRESSED_BYTES_MIN,
  type Coding,
  codingOf,
  encodeWhole,
  VARY_CODING,
} from './content-coding.js';
import { EncodedStream } from './encoded-stream.js';
import type { AnswerBody, AnswerStream, Exchange, Header } from './http/exchange.js';

/** Answers an exchange, and compresses the body if that is worth it. */
export class CompressedResponse
  implements Pick<Exchange, 'respond' | 'respondBodiless' | 'stream'>
{
  /** True while a body is being compressed. */
  isEncoding = false;
  readonly #exchange: Exchange;
  readonly #onFault: (error: Error) => void;
  readonly #coding: Coding | undefined;
  #encoded: EncodedStream | undefined;

  /** `onFault` is called when compressing fails and the answer is cut. */
  constructor(exchange: Exchange, onFault: (error: Error) => void) {
    this.#exchange = exchange;
    this.#onFault = onFault;
    this.#coding = codingOf(exchange.headers['accept-encoding']);
  }

  /** The coding for a whole body of this size; undefined: not compressed. */
  codingFor(bodyBytes: number): Coding | undefined {
    return bodyBytes < COMPRESSED_BYTES_MIN ? undefined : this.#coding;
  }

  /** Only bodies of 200 are compressed: problems are short. */
  respond(status: number, headers: readonly Header[], body: AnswerBody): void {
    const coding = this.codingFor(Buffer.byteLength(body));
    if (status !== 200) this.#exchange.respond(status, headers, body);
    else if (coding === undefined) this.#exchange.respond(200, [...headers, VARY_CODING], body);
    else this.#respondEncoded(coding, headers, body);
  }

  respondBodiless(status: number, headers: readonly Header[]): void {
    const headersOfCoding =
      status === 200 ? this.#streamHeaders() : status === 304 ? [VARY_CODING] : [];
    this.#exchange.respondBodiless(status, [...headers, ...headersOfCoding]);
  }

  stream(status: number, headers: readonly Header[]): AnswerStream {
    const all = [...headers, ...this.#streamHeaders()];
    const stream = this.#exchange.stream(status, all);
    if (this.#coding === undefined) return stream;
    this.#encoded = new EncodedStream(this.#coding, stream, (error) => this.#fail(error));
    return this.#encoded;
  }

  /** Stops compressing because the client has disconnected. */
  release(): void {
    this.#encoded?.release();
  }

  #respondEncoded(coding: Coding, headers: readonly Header[], body: AnswerBody): void {
    this.isEncoding = true;
    encodeWhole(coding, body, (error, bytes) => {
      this.isEncoding = false;
      const all: Header[] = [...headers, VARY_CODING, ['content-encoding', coding]];
      if (error) this.#fail(error);
      else this.#exchange.respond(200, all, bytes);
    });
  }

  #streamHeaders(): readonly Header[] {
    if (this.#coding === undefined) return [VARY_CODING];
    return [VARY_CODING, ['content-encoding', this.#coding]];
  }

  #fail(error: Error): void {
    this.#onFault(error);
    this.#exchange.abort();
  }
}
