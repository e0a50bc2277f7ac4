/** Reads the body of a request, as a whole or in pieces. */
import type { Exchange } from './exchange.js';

export interface BodySink {
  /** The bytes belong to the receiver, which may transfer them. */
  data(bytes: Uint8Array<ArrayBuffer>, last: boolean): void;
  /** The body exceeds the limit and was discarded; `data` is not called again. */
  tooLarge(): void;
}

/**
 * How many bytes beyond the limit are read and discarded. If the connection were closed while the
 * client is still sending, most clients would report a broken pipe instead of reading the answer.
 */
export const DROPPED_BYTES_MAX = 64 << 20;

/**
 * Whether `Content-Length` exceeds the limit. Both parsers refuse a length that is not a number.
 */
export function announcesMoreThan({ headers }: Exchange, bytesMax: number): boolean {
  return Number(headers['content-length']) > bytesMax;
}

/** Reads and discards a body that exceeds the limit, then calls `done`. */
export function dropBody(exchange: Exchange, bytesMax: number, done: () => void): void {
  if (announcesMoreThan(exchange, bytesMax + DROPPED_BYTES_MAX)) return done();
  let size = 0;
  exchange.onData((chunk, last) => {
    size += chunk.length;
    if (isDropped(size, last, bytesMax) && !exchange.answered) done();
  });
}

/**
 * Receives the outcome of a body that is read as a whole: one call, unless the client disconnects.
 */
export interface WholeBodySink {
  /** Bytes of a small body are valid only during the call; those of a large one belong to the receiver. */
  done(bytes: Uint8Array<ArrayBuffer>): void;
  /** The body exceeds the limit, or there was no memory for it; it was read and discarded. */
  refused(reason: 'body-too-large' | 'body-waited'): void;
}

/** A body that uses memory until its request is answered or its client disconnects. */
export interface RoomTaker {
  readonly exchange: Pick<Exchange, 'answered' | 'aborted'>;
  /** The bytes that have arrived. */
  readonly size: number;
  readonly isComplete: boolean;
  /** Memory is reserved for the body. With false, none was free in time, or the body that had some arrived too slowly. */
  hasRoom(has: boolean): void;
}

/** Limits the memory of large bodies. */
export interface Room {
  /** Reserves memory, possibly at once: `body.hasRoom` reports it. */
  take(body: RoomTaker, bytes: number): void;
}

/** Reads the body whole. */
export function readBody(
  exchange: Exchange,
  { bytesMax, room }: { readonly bytesMax: number; readonly room: Room },
  sink: WholeBodySink,
): void {
  const announced = Number(exchange.headers['content-length']);
  if (announced > bytesMax) {
    dropBody(exchange, bytesMax, () => sink.refused('body-too-large'));
    return;
  }
  let body: GatheredBody | undefined;
  if (announced > SMALL_BODY_BYTES) {
    body = new GatheredBody(exchange, bytesMax, sink);
    body.ask(room, announced);
  }
  exchange.onData((chunk, last) => {
    if (last && body === undefined && chunk.length <= SMALL_BODY_BYTES) return sink.done(chunk);
    body ??= new GatheredBody(exchange, bytesMax, sink);
    body.add(chunk, last);
    // The remaining length is unknown.
    if (body.size > SMALL_BODY_BYTES) body.ask(room, bytesMax);
    body.settle();
  });
}

/** A body that comes in pieces. */
class GatheredBody implements RoomTaker {
  readonly exchange: Exchange;
  size = 0;
  isComplete = false;
  readonly #bytesMax: number;
  readonly #sink: WholeBodySink;
  #gathered: Buffer<ArrayBuffer> | undefined;
  #room: 'not-asked' | 'waiting' | 'taken' = 'not-asked';
  #isPaused = false;
  #refusal: 'body-too-large' | 'body-waited' | undefined;

  constructor(exchange: Exchange, bytesMax: number, sink: WholeBodySink) {
    this.exchange = exchange;
    this.#bytesMax = bytesMax;
    this.#sink = sink;
  }

  /** Reserves memory, once; the client is paused until there is some. */
  ask(room: Room, bytes: number): void {
    if (this.#room !== 'not-asked') return;
    this.#room = 'waiting';
    this.exchange.onDone(() => (this.#gathered = undefined));
    room.take(this, bytes);
    if (!this.#isWaiting) return;
    this.#isPaused = true;
    this.exchange.pause();
  }

  hasRoom(has: boolean): void {
    this.#room = 'taken';
    if (!has) this.#refuse('body-waited');
    if (this.#isPaused) {
      this.#isPaused = false;
      if (this.isComplete) this.exchange.release();
      else this.exchange.resume();
    }
    this.settle();
  }

  get #isWaiting(): boolean {
    return this.#room === 'waiting';
  }

  add(chunk: Uint8Array, last: boolean): void {
    const start = this.size;
    this.size += chunk.length;
    this.isComplete = last;
    if (this.size > this.#bytesMax) this.#refuse('body-too-large');
    if (this.#refusal) return;
    const announced = Number(this.exchange.headers['content-length']);
    this.#gathered = roomFor(this.size, this.#gathered, announced);
    this.#gathered.set(chunk, start);
  }

  #refuse(refusal: 'body-too-large' | 'body-waited'): void {
    this.#refusal ??= refusal;
    this.#gathered = undefined;
  }

  /** Passes a complete body on once memory is reserved, or reports the refusal. */
  settle(): void {
    if (this.#isWaiting || this.exchange.answered) return;
    if (this.#refusal) {
      const isOver = isDropped(this.size, this.isComplete, this.#bytesMax);
      if (isOver) this.#sink.refused(this.#refusal);
    } else if (this.isComplete && this.#gathered) {
      const { buffer } = this.#gathered;
      this.#gathered = undefined;
      this.#sink.done(new Uint8Array(buffer, 0, this.size));
    }
  }
}

/** Whether enough of a body over the limit has been discarded. */
function isDropped(size: number, last: boolean, bytesMax: number): boolean {
  return last || size > bytesMax + DROPPED_BYTES_MAX;
}

/** Larger bodies reserve memory, and are parsed by a worker. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** A buffer for at least this many bytes, with the content of the previous one. */
function roomFor(
  size: number,
  before: Buffer<ArrayBuffer> | undefined,
  announced: number,
): Buffer<ArrayBuffer> {
  if (before && size <= before.length) return before;
  // The system provides memory only when it is first written to.
  const room = before ? 2 * before.length : announced || SMALL_BODY_BYTES;
  const grown = Buffer.allocUnsafeSlow(Math.max(size, room));
  before?.copy(grown);
  return grown;
}

/** Reads the body in pieces; the sink can pause the exchange. Returns the function that resumes it. */
export function streamBody(exchange: Exchange, bytesMax: number, sink: BodySink): () => void {
  let size = 0;
  let isComplete = false;
  exchange.onData((chunk, last) => {
    isComplete = last;
    size += chunk.length;
    if (size <= bytesMax) sink.data(new Uint8Array(chunk), last);
    else if (isDropped(size, last, bytesMax) && !exchange.answered) sink.tooLarge();
  });
  // While a complete body waits for its answer, a paused connection has no time limit. Resuming it
  // would start the ten seconds of uWebSockets.js, so only the answer resumes it.
  return () => {
    if (!isComplete) exchange.resume();
  };
}
