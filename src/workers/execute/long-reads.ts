/**
 * How many long reads of a source may run: while any worker answers short ones, only so many that these
 * get processors, too.
 */

/** A short read or write is recent for so long, in milliseconds. */
const RECENT_MS = 250;
/** The clock that the threads share counts in tens of milliseconds, so that it fits 31 bits for 248 days. */
const TICK_MS = 10;
const MASK = 0x7fff_ffff;

/** When a short statement was last answered, by any worker. */
export class ShortActivity {
  readonly #last: Int32Array;

  /** `memory`: four bytes that all workers share. */
  constructor(memory: SharedArrayBuffer) {
    this.#last = new Int32Array(memory);
  }

  /** A short statement was answered. */
  saw(): void {
    Atomics.store(this.#last, 0, ticks());
  }

  get isRecent(): boolean {
    return ((ticks() - Atomics.load(this.#last, 0)) & MASK) * TICK_MS < RECENT_MS;
  }
}

function ticks(): number {
  return Math.floor(Date.now() / TICK_MS) & MASK;
}

export class LongReads {
  readonly #max: number;
  readonly #activity: ShortActivity;
  readonly #running = new Set<object>();

  /** `max`: how many may run while short statements are answered. */
  constructor(max: number, activity: ShortActivity) {
    this.#max = max;
    this.#activity = activity;
  }

  /** How many more may start now. */
  get room(): number {
    if (!this.#activity.isRecent) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#max - this.#running.size);
  }

  /** Runs a long read; its place is free again when it has ended. */
  async run<Result>(read: () => Promise<Result>): Promise<Result> {
    const place = {};
    this.#running.add(place);
    try {
      return await read();
    } finally {
      this.#running.delete(place);
    }
  }
}
