/**
 * Limits the long reads of a source. While any worker answers short statements, only as many long
 * reads run as leave processor time for the short ones.
 */

/** For how long a short statement counts as recent, in milliseconds. */
const RECENT_MS = 250;
/**
 * The threads share a clock that counts units of 10 ms, so that it fits in 31 bits for 248 days.
 */
const TICK_MS = 10;
const MASK = 0x7fff_ffff;

/** When a short statement was last answered, by any worker. */
export class ShortActivity {
  readonly #last: Int32Array;

  /** `memory` has four bytes, shared by all workers. */
  constructor(memory: SharedArrayBuffer) {
    this.#last = new Int32Array(memory);
  }

  /** Must be called when a short statement was answered. */
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

/** The longest pause after a long read, in milliseconds. */
const PAUSE_MS_MAX = 1000;
/** How many reads of unknown plans, most of them short, run while short statements are answered. */
const UNKNOWN_MAX = 3;
/** For how long they are limited like long ones after one of them was long, in milliseconds. */
const LIMITED_MS = 2000;
/** An older read, in milliseconds, does not keep those of unknown plans waiting: it may wait for a lock. */
const AGE_MS_MAX = 2000;

export class LongReads {
  readonly #max: number;
  /** The pause after a read, as a multiple of its duration. */
  readonly #pause: number;
  readonly #activity: ShortActivity;
  readonly #running = new Set<{ readonly startedAt: number }>();
  /** By `performance.now()`. */
  #pausesUntil = 0;
  #limitedUntil = 0;

  /**
   * `max`: how many may run while short statements are answered. Less than one: one runs for this share of the time.
   */
  constructor(max: number, activity: ShortActivity) {
    this.#max = Math.max(1, Math.floor(max));
    this.#pause = max < 1 ? 1 / max - 1 : 0;
    this.#activity = activity;
  }

  /** How many more long reads can start now. */
  get room(): number {
    if (!this.#activity.isRecent) return Number.POSITIVE_INFINITY;
    if (performance.now() < this.#pausesUntil) return 0;
    return Math.max(0, this.#max - this.#running.size);
  }

  /**
   * How many more reads of unknown plans can start now. They have a limit of their own until one of them turns out
   * long: clients may send a different long query each time.
   */
  get roomForUnknown(): number {
    if (!this.#activity.isRecent) return Number.POSITIVE_INFINITY;
    const now = performance.now();
    const isLimited = now < this.#limitedUntil;
    if (isLimited && now < this.#pausesUntil) return 0;
    let running = 0;
    for (const { startedAt } of this.#running) if (now - startedAt < AGE_MS_MAX) running += 1;
    return Math.max(0, (isLimited ? this.#max : UNKNOWN_MAX) - running);
  }

  /** Must be called when the read of an unknown plan is long. */
  sawUnknown(): void {
    this.#limitedUntil = performance.now() + LIMITED_MS;
  }

  /** Runs a long read. Its place becomes free when it calls `leave` or ends. */
  async run<Result>(read: (leave: () => void) => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const place = { startedAt };
    const leave = (): void => {
      if (!this.#running.delete(place) || this.#pause === 0) return;
      const now = performance.now();
      this.#pausesUntil = now + Math.min(PAUSE_MS_MAX, (now - startedAt) * this.#pause);
    };
    this.#running.add(place);
    try {
      return await read(leave);
    } finally {
      leave();
    }
  }
}
