/**
 * The time limits of statements, counted in ticks of one timer for each source instead of one for
 * each request. Only the time in which the database works counts; waiting for a client does not.
 */

/** A statement with a time limit. */
export interface Timed {
  /** Whether the database is working for it right now. */
  readonly isWorking: boolean;
  /** Called when its work took longer than the limit. */
  expire(): void;
}

const TICKS = 20;
const TICK_MS_MAX = 500;

export class Deadline {
  readonly #ticksMax: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** How many ticks each of them has worked. */
  readonly #watched = new Map<Timed, number>();

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Starts counting from zero. */
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
