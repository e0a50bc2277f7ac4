/**
 * Limits the memory for large bodies. A body waits until there is memory for it, and is refused after
 * too long. Its memory is reserved from before it is read until its request is answered or its client
 * disconnects. If others wait, a body that arrives too slowly is refused.
 */
import type { Room, RoomTaker } from './http/read-body.js';

/** How often waiting bodies are checked for their time limit. */
const LOOK_MS = 20;

/** While others wait, a body that has memory must send so many bytes in this time. */
const SLOW = { bytes: 128 << 10, ms: 2000 };

interface Waiting {
  readonly body: RoomTaker;
  readonly bytes: number;
  readonly until: number;
}

interface Held {
  readonly bytes: number;
  /** How many bytes had arrived at the time `since`. */
  size: number;
  since: number;
}

export class BodyRoom implements Room {
  readonly #bytesMax: number;
  readonly #waitMs: number;
  readonly #held = new Map<RoomTaker, Held>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesMax: number, waitMs: number) {
    this.#bytesMax = bytesMax;
    this.#waitMs = waitMs;
  }

  /** The bytes of the bodies in memory. */
  get heldBytes(): number {
    this.forgetEnded();
    let sum = 0;
    for (const { bytes } of this.#held.values()) sum += bytes;
    return sum;
  }

  /** Forgets the bodies whose requests are over. Otherwise they are kept until the next large body. */
  forgetEnded(): void {
    for (const body of this.#held.keys()) if (isOver(body)) this.#held.delete(body);
  }

  take(body: RoomTaker, bytes: number): void {
    if (this.#waiting.length === 0 && this.#fits(bytes)) return this.#grant(body, bytes);
    const now = performance.now();
    this.#waiting.push({ body, bytes, until: now + this.#waitMs });
    if (this.#timer !== undefined) return;
    for (const [each, held] of this.#held) measure(each, held, now);
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** One body is always admitted. */
  #fits(bytes: number): boolean {
    const held = this.heldBytes;
    return held === 0 || held + bytes <= this.#bytesMax;
  }

  #grant(body: RoomTaker, bytes: number): void {
    this.#held.set(body, { bytes, size: body.size, since: performance.now() });
    body.hasRoom(true);
  }

  #look(): void {
    const waiting = this.#waiting.filter(({ body }) => !isOver(body));
    this.#waiting = [];
    const now = performance.now();
    if (waiting.length > 0) this.#refuseSlow(now);
    for (const each of waiting) {
      const { body, bytes, until } = each;
      if (this.#waiting.length === 0 && this.#fits(bytes)) this.#grant(body, bytes);
      else if (now >= until) body.hasRoom(false);
      else this.#waiting.push(each);
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #refuseSlow(now: number): void {
    for (const [body, held] of this.#held) {
      if (body.isComplete || now - held.since < SLOW.ms) continue;
      const isSlow = body.size - held.size < SLOW.bytes;
      measure(body, held, now);
      if (!isSlow) continue;
      this.#held.delete(body);
      body.hasRoom(false);
    }
  }
}

function measure({ size }: RoomTaker, held: Held, now: number): void {
  held.size = size;
  held.since = now;
}

function isOver({ exchange }: RoomTaker): boolean {
  return exchange.answered || exchange.aborted;
}
