/**
 * What the gateway sees of HTTP: one request and its answer (an Exchange), and the server that makes
 * them. uWebSockets.js and node:http stand behind the same types; nothing else knows of either.
 */

import type { CertificateFiles } from './certificate.js';
import type { Place } from './place.js';
import type { PrebuiltHeaders } from './prebuilt-headers.js';

/** The headers that are copied from a request; an absent one is the empty string. */
export const COPIED_HEADERS = [
  'content-type',
  'content-encoding',
  'accept',
  'content-length',
  'x-request-id',
  'traceparent',
  'if-none-match',
  'accept-encoding',
  'idempotency-key',
  'origin',
  'x-forwarded-for',
] as const;

/**
 * What stands for a header that is there and empty, where that is not the same as an absent one: no
 * parser leaves a blank at the ends of a value.
 */
export const EMPTY_HEADER = ' ';

export type HeaderName = (typeof COPIED_HEADERS)[number];

/** The copied headers of one request. */
export type RequestHeaders = Readonly<Record<HeaderName, string>>;

/**
 * How long a client that closes its side of the connection is waited for, where it is. One that has left
 * looks the same, and its statement is to be cancelled.
 */
export const HALF_CLOSED_MS = 1000;

/** Of a `Connection` header: the client sends no more requests, and may close its side. */
export const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

/** A header of an answer: name in lower case, value in printable ASCII. */
export type Header = readonly [name: string, value: string];

/** One request and its answer. It is answered once, by `respond` or `stream`. */
export interface Exchange {
  /** Upper case. */
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** The text behind the `?`, or empty. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** True when the client went away before the answer was complete. */
  readonly aborted: boolean;
  /** True as soon as an answer has begun. */
  readonly answered: boolean;
  /** The address at the other end of the connection, before the answer; empty on a UNIX socket. */
  remoteAddress(): string;
  /** Adds headers to whatever its answer will be. */
  addHeaders(headers: readonly Header[]): void;
  /** Calls the listener once, when the answer is complete, or the client has gone; one at a time. */
  onDone(listener: () => void): void;
  /** Gives the pieces of the body to `take`; the bytes are valid during the call only. */
  onData(take: (bytes: Uint8Array<ArrayBuffer>, last: boolean) => void): void;
  /**
   * Does what may be the work of a write: once all that came along with the request has been read
   * without a fault, and never when the client went away. For {@link HALF_CLOSED_MS} from now, what the
   * client sends behind its request waits for the answer, and that it closes its side is no leaving.
   */
  hold(work: () => void): void;
  /** It was none: the client is watched again. */
  release(): void;
  /** Holds the body back, until `resume` or the answer. */
  pause(): void;
  resume(): void;
  /** Answers whole; of a HEAD request the body stays unsent. Does nothing once aborted. */
  respond(status: number, headers: readonly Header[], body: string | Uint8Array): void;
  /** Answers 200 whole with prepared headers. Does nothing once aborted. */
  respondPrebuilt(head: PrebuiltHeaders, value: number, body: Uint8Array): void;
  /** Answers with headers alone, which tell no length: 204, 304, or HEAD of what is streamed. */
  respondBodiless(status: number, headers: readonly Header[]): void;
  /** Begins an answer of unknown length. */
  stream(status: number, headers: readonly Header[]): AnswerStream;
  /** Cuts the connection without an answer. */
  abort(): void;
  /** Calls the listener when the client goes away before the answer is complete; one at a time. */
  onAbort(listener: () => void): void;
}

/** An answer whose bytes come bit by bit. */
export interface AnswerStream {
  /** Bytes that were written and that nobody has taken; none once the answer is over. */
  readonly waitingBytes: number;
  /**
   * Takes all the bytes. `taken` is called, perhaps at once, when the client's side has them and they
   * may be written over; never when the client goes away. Until then no more should be written than
   * the writer is ready to see waiting in memory.
   */
  write(bytes: Uint8Array, taken?: () => void): void;
  /** Ends the answer well, after all that was written. */
  end(): void;
  /** Cuts the connection, so that the client cannot take the answer for a whole one. */
  abort(): void;
}

export type RequestHandler = (exchange: Exchange) => void;

/** A listening HTTP server. */
export interface HttpServer {
  readonly name: 'uws' | 'node';
  /** Requests whose answer is not complete. */
  readonly inFlight: number;
  /** Resolves to the bound port, 0 for a UNIX socket; rejects with a sentence that names a place that is taken. */
  listen(place: Place): Promise<number>;
  /** Uses the certificate as its files are now for new connections; rejects, and changes nothing, where they cannot be used. */
  reloadCertificate(): Promise<void>;
  /** Accepts no more connections; answers from now on carry `Connection: close`. */
  drain(): void;
  /** Cuts whatever is still connected. */
  close(): Promise<void>;
}

/** What a server is made with. */
export interface HttpServerOptions {
  readonly handle: RequestHandler;
  /** Paths without parameters that are posted to: a server may know them beforehand. */
  readonly postPaths?: readonly string[];
  /** Bytes of a request's headers; more is answered 431. */
  readonly headersBytesMax: number;
  /** A reader that takes nothing of a begun answer for so long is cut. */
  readonly writeStallMs: number;
  /** Set where connections speak TLS. */
  readonly certificate?: CertificateFiles | undefined;
}

/** What all exchanges of a server share. */
export interface SharedByExchanges {
  draining: boolean;
  inFlight: number;
  readonly writeStallMs: number;
}

/** The side of an exchange that owns the answer. */
export interface AnswerOwner {
  /** Whether the response may be touched, and its answer is not complete. */
  isOpen(): boolean;
  cut(): void;
  readonly writeStallMs: number;
}
