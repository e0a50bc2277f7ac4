/**
 * The time limit of statements, counted in ticks of one timer a source: no timer a request. Only the
 * time in which the database works counts, not that in which its rows wait for a client.
 */

/** What is watched. */
export interface Timed {
  /** Whether the database is at work for it right now. */
  readonly isWorking: boolean;
  /** Its work took longer than the limit. */
  expire(): void;
}

const TICKS = 20;
const TICK_MS_MAX = 500;

export class Deadline {
  readonly #ticksMax: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** The ticks that each has worked. */
  readonly #watched = new Map<Timed, number>();

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Begins to count, from nothing. */
  start(timed: Timed): void {
    if (this.#timer) this.#watched.set(timed, 0);
  }

  stop(timed: Timed): void {
    this.#watched.delete(timed);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    for (const [timed, ticks] of this.#watched) {
      if (!timed.isWorking) continue;
      if (ticks < this.#ticksMax) this.#watched.set(timed, ticks + 1);
      else timed.expire();
    }
  }
}
