/**
 * Limits the memory for large bodies. A body waits until there is memory for it, and is refused after
 * too long. Its memory is reserved from before it is read until its request is answered or its client
 * disconnects.
 */
import type { Room, RoomTaker } from './http/read-body.js';

/** How often waiting bodies are checked for their time limit. */
const LOOK_MS = 20;

interface Waiting {
  readonly exchange: RoomTaker;
  readonly bytes: number;
  readonly until: number;
  readonly settle: (hasRoom: boolean) => void;
}

export class BodyRoom implements Room {
  readonly #bytesMax: number;
  readonly #waitMs: number;
  readonly #held = new Map<RoomTaker, number>();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesMax: number, waitMs: number) {
    this.#bytesMax = bytesMax;
    this.#waitMs = waitMs;
  }

  /** The bytes of the bodies in memory. */
  get heldBytes(): number {
    let sum = 0;
    for (const [exchange, bytes] of this.#held) {
      if (exchange.answered || exchange.aborted) this.#held.delete(exchange);
      else sum += bytes;
    }
    return sum;
  }

  take(exchange: RoomTaker, bytes: number, settle: (hasRoom: boolean) => void): void {
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#held.set(exchange, bytes);
      settle(true);
      return;
    }
    const until = performance.now() + this.#waitMs;
    this.#waiting.push({ exchange, bytes, until, settle });
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** One body is always admitted. */
  #fits(bytes: number): boolean {
    const held = this.heldBytes;
    return held === 0 || held + bytes <= this.#bytesMax;
  }

  #look(): void {
    const waiting = this.#waiting.filter(({ exchange }) => !exchange.aborted);
    this.#waiting = [];
    const now = performance.now();
    for (const each of waiting) {
      const { exchange, bytes, until, settle } = each;
      if (this.#waiting.length === 0 && this.#fits(bytes)) {
        this.#held.set(exchange, bytes);
        settle(true);
      } else if (now >= until) settle(false);
      else this.#waiting.push(each);
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
