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
/** How many trials, most of them short, run while short statements are answered. */
const TRIALS_MAX = 3;
/** After a long one, only one at a time runs for this long, in milliseconds: clients may send a different long query each time. */
const LIMITED_MS = 2000;
/** A trial that takes longer, in milliseconds, is a long read. */
const TRIAL_MS = 50;
/** An older trial, in milliseconds, does not keep others waiting: it waits for a connection. */
const AGE_MS_MAX = 1000;
/** One that has run for longer is not stopped: its work would be lost. It began while no short statement was answered. */
const LOST_MS_MAX = 500;

/** The place of a read among those that run. */
export interface Place {
  readonly enteredAt: number;
  /** Whether it is the first read of a plan, which may be short. */
  isTrial: boolean;
}

/** The progress of a trial; times are those of `performance.now()`. */
export interface Progress {
  readonly startedAt: number;
  readonly now: number;
  /** Whether it can be stopped to run again. */
  readonly mayStop: boolean;
}

export class LongReads {
  readonly #max: number;
  /** The pause after a read, as a multiple of its duration. */
  readonly #pause: number;
  readonly #activity: ShortActivity;
  readonly #running = new Set<Place>();
  /** By `performance.now()`. */
  #startsFrom = 0;
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
    if (performance.now() < this.#startsFrom) return 0;
    let running = 0;
    for (const { isTrial } of this.#running) if (!isTrial) running += 1;
    return Math.max(0, this.#max - running);
  }

  /** Whether a trial can start now. */
  get mayTry(): boolean {
    if (!this.#activity.isRecent) return true;
    const now = performance.now();
    let running = 0;
    for (const { isTrial, enteredAt } of this.#running) {
      if (isTrial && now - enteredAt < AGE_MS_MAX) running += 1;
    }
    return running < (now < this.#limitedUntil ? 1 : TRIALS_MAX);
  }

  /** Takes a place for a read, which must be given back by {@link leave}. */
  enter(isTrial: boolean): Place {
    const place = { enteredAt: performance.now(), isTrial };
    this.#running.add(place);
    return place;
  }

  /**
   * Must be called at intervals for a trial whose statement began at `startedAt`. If it takes long, it becomes a long
   * read. Returns false if there is no room for that, and it may stop; its place has been given back then.
   */
  mayGoOn(place: Place, { startedAt, now, mayStop }: Progress): boolean {
    const ranMs = now - startedAt;
    if (!place.isTrial || ranMs < TRIAL_MS || !this.#activity.isRecent) return true;
    const mustStop = mayStop && ranMs < LOST_MS_MAX && this.room === 0;
    place.isTrial = false;
    this.#limitedUntil = now + LIMITED_MS;
    if (!mustStop) return true;
    this.#running.delete(place);
    return false;
  }

  /** Gives a place back, if that has not happened. */
  leave(place: Place): void {
    if (!this.#running.delete(place) || place.isTrial) return;
    const now = performance.now();
    const pauseMs = Math.min(PAUSE_MS_MAX, (now - place.enteredAt) * this.#pause);
    this.#startsFrom = Math.max(this.#startsFrom, now + pauseMs);
  }
}
