/** Reads the body of a request, whole or in pieces. */
import type { Exchange } from './exchange.js';

/** Receives a body in pieces. */
export interface BodySink {
  /** The bytes are the receiver's own, and may be transferred. */
  data(bytes: Uint8Array<ArrayBuffer>, last: boolean): void;
  /** The body is over the limit, and has been dropped; no `data` follows. */
  tooLarge(): void;
}

/** Holds a streamed body back. */
export interface BodyFlow {
  pause(): void;
  resume(): void;
}

/**
 * Bytes beyond the limit that are read and dropped, so that the client reads the answer: were the
 * connection closed while it sends, most would tell of a broken pipe.
 */
export const DROPPED_BYTES_MAX = 64 << 20;

/**
 * Whether the announced length alone says that the body is over the limit. Both parsers have refused
 * what is no number.
 */
export function announcesMoreThan({ headers }: Exchange, bytesMax: number): boolean {
  return Number(headers['content-length']) > bytesMax;
}

/** Reads a body that is over the limit to its end, or to the end of what is dropped, and calls `done`. */
export function dropBody(exchange: Exchange, bytesMax: number, done: () => void): void {
  if (announcesMoreThan(exchange, bytesMax + DROPPED_BYTES_MAX)) return done();
  let size = 0;
  exchange.onData((chunk, last) => {
    size += chunk.length;
    if (isDropped(size, last, bytesMax) && !exchange.answered) done();
  });
}

/**
 * Reads the body whole. `done` is called once, with the bytes (valid during the call only), or with
 * undefined when the body is over the limit; never when the client goes away.
 */
export function readBody(
  exchange: Exchange,
  bytesMax: number,
  done: (bytes: Uint8Array | undefined) => void,
): void {
  if (announcesMoreThan(exchange, bytesMax)) {
    dropBody(exchange, bytesMax, () => done(undefined));
    return;
  }
  let gathered: Buffer | undefined;
  let size = 0;
  exchange.onData((chunk, last) => {
    const start = size;
    size += chunk.length;
    if (size > bytesMax) {
      gathered = undefined;
      if (isDropped(size, last, bytesMax) && !exchange.answered) done(undefined);
    } else if (last && start === 0) {
      done(chunk);
    } else {
      gathered = roomFor(size, gathered, Number(exchange.headers['content-length']));
      gathered.set(chunk, start);
      if (last) done(gathered.subarray(0, size));
    }
  });
}

/** Whether a body over the limit has been dropped as far as it is. */
function isDropped(size: number, last: boolean, bytesMax: number): boolean {
  return last || size > bytesMax + DROPPED_BYTES_MAX;
}

const FIRST_BYTES = 64 * 1024;

/** A buffer for so many bytes at least: no piece is kept beside it. */
function roomFor(size: number, before: Buffer | undefined, announced: number): Buffer {
  if (before && size <= before.length) return before;
  // Memory that nobody has written to is not taken from the system yet.
  const room = before ? 2 * before.length : announced || FIRST_BYTES;
  const grown = Buffer.allocUnsafeSlow(Math.max(size, room));
  before?.copy(grown);
  return grown;
}

/** Reads the body in pieces, which the sink may hold back. */
export function streamBody(exchange: Exchange, bytesMax: number, sink: BodySink): BodyFlow {
  let size = 0;
  let isComplete = false;
  exchange.onData((chunk, last) => {
    isComplete = last;
    size += chunk.length;
    if (size <= bytesMax) sink.data(new Uint8Array(chunk), last);
    else if (isDropped(size, last, bytesMax) && !exchange.answered) sink.tooLarge();
  });
  // Behind a complete body uWebSockets.js waits for the answer as long as it takes; resuming would
  // start its limit of ten seconds again. What is paused then is resumed by the answer.
  const resume = () => {
    if (!isComplete) exchange.resume();
  };
  return { pause: () => exchange.pause(), resume };
}
