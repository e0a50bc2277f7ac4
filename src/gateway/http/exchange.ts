/**
 * HTTP as the gateway sees it: an Exchange (one request and its answer), and the server that
 * creates exchanges. uWebSockets.js and node:http implement the same types; no other code knows
 * either.
 */

import type { CertificateFiles } from './certificate.js';
import type { Deadlines } from './deadlines.js';
import type { Place } from './place.js';
import type { PrebuiltHeaders } from './prebuilt-headers.js';

/** The headers that are copied from a request; an absent header is an empty string. */
export type HeaderName =
  | 'content-type'
  | 'content-encoding'
  | 'accept'
  | 'content-length'
  | 'x-request-id'
  | 'traceparent'
  | 'if-none-match'
  | 'accept-encoding'
  | 'idempotency-key'
  | 'origin'
  | 'x-forwarded-for'
  | 'authorization';

export type RequestHeaders = Readonly<Record<HeaderName, string>>;

/**
 * The value of a header that is present but empty, for headers where that differs from absent.
 * Parsers strip blanks, so no client can send it.
 */
export const EMPTY_HEADER = ' ';

/**
 * How long a client that has closed its side of the connection may wait for its answer. A client
 * that has disconnected looks the same, and its statement must be cancelled.
 */
export const HALF_CLOSED_MS = 1000;

/**
 * How long a client may take for the head of a request, and how long it may send nothing of a body: as
 * long as with uWebSockets.js, where it is fixed.
 */
export const RECEIVE_STALL_MS = 10_000;

/** Matches a `Connection` header of a last request: the client may then close its side. */
export const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

/** A header of an answer: its name in lower case, its value in printable ASCII. */
export type Header = readonly [name: string, value: string];

/** The body of a whole answer: a text is sent in UTF-8. */
export type AnswerBody = string | Uint8Array<ArrayBuffer>;

/** `respond`, `respondPrebuilt`, `respondBodiless` or `stream` is called once. */
export interface Exchange {
  /** In upper case. */
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query string. */
  readonly path: string;
  /** The text after the `?`, or empty. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** Whether the client disconnected before the answer was complete. */
  readonly aborted: boolean;
  /** Whether an answer has begun. */
  readonly answered: boolean;
  /** Whether the client's system has the whole answer. */
  readonly isDone: boolean;
  /** The address of the client, before the answer; empty on a UNIX socket. */
  remoteAddress(): string;
  /** Adds headers to its answer, whatever that will be. */
  addHeaders(headers: readonly Header[]): void;
  /** Calls the listener once the answer is complete or the client has disconnected; at once if it is so already. */
  onDone(listener: () => void): void;
  /** Passes the pieces of the body to `take`; the bytes are valid only during the call. */
  onData(take: (bytes: Uint8Array<ArrayBuffer>, last: boolean) => void): void;
  /**
   * Runs work that may be a write. It runs after all bytes that arrived with the request have been
   * parsed without an error, and not if the client has disconnected. After an error, the listener of
   * `onAbort` is called instead. For {@link HALF_CLOSED_MS}, further input waits for the answer, and
   * the client may close its side.
   */
  hold(work: () => void): void;
  /** The work was not a write: closing its side means again that the client has disconnected. */
  release(): void;
  /** Pauses the body until `resume` or the answer. */
  pause(): void;
  resume(): void;
  /** Sends a whole answer; without the body for a HEAD request. Does nothing after an abort. */
  respond(status: number, headers: readonly Header[], body: AnswerBody): void;
  /** With status 200. Does nothing after an abort. The body may change after the call. */
  respondPrebuilt(head: PrebuiltHeaders, value: number, body: Uint8Array): void;
  /** Sends headers without a length or a body: for 204, 304, and HEAD of a streamed answer. */
  respondBodiless(status: number, headers: readonly Header[]): void;
  /** Begins an answer of unknown length. */
  stream(status: number, headers: readonly Header[]): AnswerStream;
  /** Closes the connection without an answer. */
  abort(): void;
  /** Called if the client disconnects before the end of the answer, or has. A new listener replaces it. */
  onAbort(listener: () => void): void;
}

/** An answer that is sent in pieces. */
export interface AnswerStream {
  /** The bytes that were written but not taken by the client; 0 after the end of the answer. */
  readonly waitingBytes: number;
  /**
   * Accepts all bytes. `taken` is called, possibly at once, when the client's side has them and the
   * buffer may be reused; it is not called if the client disconnects. Until then, the caller limits
   * how much it writes, because the bytes wait in memory.
   */
  write(bytes: Uint8Array, taken?: () => void): void;
  /** Completes the answer after everything that was written. */
  end(): void;
  /** Cuts the connection, so the client cannot mistake the answer for a complete one. */
  abort(): void;
}

export interface HttpServer {
  readonly name: 'uws' | 'node';
  /** The number of requests whose answer is not complete. */
  readonly inFlight: number;
  /** Resolves to the bound port, or 0 for a UNIX socket. Rejects if it is taken; the message names it. */
  listen(place: Place): Promise<number>;
  /** Reads the certificate's files again for new connections. Rejects, without a change, if they are invalid. */
  reloadCertificate(): Promise<void>;
  /** Accepts no more connections. From now on, answers have `Connection: close`. */
  drain(): void;
  /** Cuts the remaining connections. */
  close(): Promise<void>;
}

export interface HttpServerOptions {
  readonly handle: (exchange: Exchange) => void;
  /** The most bytes of a request's headers; more is answered with 431. */
  readonly headersBytesMax: number;
  /** A client that reads nothing of its answer for this long is disconnected. */
  readonly writeStallMs: number;
  /** Set where connections speak TLS. */
  readonly certificate?: CertificateFiles | undefined;
}

/** The state that all exchanges of a server share. */
export interface SharedByExchanges {
  draining: boolean;
  inFlight: number;
  readonly writeStallMs: number;
  readonly deadlines: Deadlines;
}

/** The exchange as its answer sees it. */
export interface AnswerOwner {
  /** Whether the response is still valid and its answer incomplete. */
  readonly isAnswering: boolean;
  readonly writeStallMs: number;
  abort(): void;
}
