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

/** What becomes of a body that is read whole; one of these is called, once, unless the client goes away. */
export interface WholeBodySink {
  /** The bytes of a small body are valid during the call only; those of a large one are the receiver's. */
  done(bytes: Uint8Array<ArrayBuffer>): void;
  /** It is over the limit, or there was no room for it; it has been read and dropped. */
  refused(reason: 'body-too-large' | 'body-waited'): void;
}

/** The request of a body, which takes room until it is answered, or its client has left. */
export type RoomTaker = Pick<Exchange, 'answered' | 'aborted'>;

/** Where large bodies have to ask for room before they are read. */
export interface Room {
  /** Calls `settle` once there is room for so many bytes, perhaps at once; with false: there is none. */
  take(exchange: RoomTaker, bytes: number, settle: (hasRoom: boolean) => void): void;
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
  const begin = (): GatheredBody => new GatheredBody(exchange, bytesMax, sink);
  if (announced > SMALL_BODY_BYTES) {
    body = begin();
    body.ask(room, announced);
  }
  exchange.onData((chunk, last) => {
    if (last && body === undefined && chunk.length <= SMALL_BODY_BYTES) return sink.done(chunk);
    body ??= begin();
    body.add(chunk, last);
    // How much more comes nobody has said.
    if (body.size > SMALL_BODY_BYTES) body.ask(room, bytesMax);
    body.settle();
  });
}

/** A body that comes in pieces. */
class GatheredBody {
  size = 0;
  readonly #exchange: Exchange;
  readonly #bytesMax: number;
  readonly #sink: WholeBodySink;
  #gathered: Buffer<ArrayBuffer> | undefined;
  #room: 'not-asked' | 'waiting' | 'taken' = 'not-asked';
  #refusal: 'body-too-large' | 'body-waited' | undefined;
  #isComplete = false;

  constructor(exchange: Exchange, bytesMax: number, sink: WholeBodySink) {
    this.#exchange = exchange;
    this.#bytesMax = bytesMax;
    this.#sink = sink;
  }

  /** Asks for room, once; until there is some, the client waits. */
  ask(room: Room, bytes: number): void {
    if (this.#room !== 'not-asked') return;
    this.#room = 'waiting';
    room.take(this.#exchange, bytes, (hasRoom) => {
      this.#room = 'taken';
      if (!hasRoom) this.#refuse('body-waited');
      // Behind a complete body the answer resumes; see streamBody.
      if (!this.#isComplete) this.#exchange.resume();
      this.settle();
    });
    if (this.#isWaiting) this.#exchange.pause();
  }

  get #isWaiting(): boolean {
    return this.#room === 'waiting';
  }

  add(chunk: Uint8Array, last: boolean): void {
    const start = this.size;
    this.size += chunk.length;
    this.#isComplete = last;
    if (this.size > this.#bytesMax) this.#refuse('body-too-large');
    if (this.#refusal) return;
    const announced = Number(this.#exchange.headers['content-length']);
    this.#gathered = roomFor(this.size, this.#gathered, announced);
    this.#gathered.set(chunk, start);
  }

  #refuse(refusal: 'body-too-large' | 'body-waited'): void {
    this.#refusal ??= refusal;
    this.#gathered = undefined;
  }

  /** Hands the body on where it is complete and has its room, or tells of its refusal. */
  settle(): void {
    if (this.#isWaiting || this.#exchange.answered) return;
    if (this.#refusal) {
      const isOver = isDropped(this.size, this.#isComplete, this.#bytesMax);
      if (isOver) this.#sink.refused(this.#refusal);
    } else if (this.#isComplete && this.#gathered) {
      const { buffer } = this.#gathered;
      this.#gathered = undefined;
      this.#sink.done(new Uint8Array(buffer, 0, this.size));
    }
  }
}

/** Whether a body over the limit has been dropped as far as it is. */
function isDropped(size: number, last: boolean, bytesMax: number): boolean {
  return last || size > bytesMax + DROPPED_BYTES_MAX;
}

/** What is larger asks for room, and is not parsed by the thread that reads it. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** A buffer for so many bytes at least: no piece is kept beside it. */
function roomFor(
  size: number,
  before: Buffer<ArrayBuffer> | undefined,
  announced: number,
): Buffer<ArrayBuffer> {
  if (before && size <= before.length) return before;
  // Memory that nobody has written to is not taken from the system yet.
  const room = before ? 2 * before.length : announced || SMALL_BODY_BYTES;
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
