/**
 * The time limit of statements, counted in ticks of one timer a source: no timer a request. Only
 * the time in which the database works counts, not that in which its rows wait for a client.
 */

/** What the clock watches. */
export interface Worked {
  /** Whether the database is at work for it right now. */
  readonly isWorking: boolean;
  /** Its work took longer than the limit. */
  expire(): void;
}

const TICKS = 20;
const TICK_MS_MAX = 500;

export class WorkClock {
  readonly #ticksMax: number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #ticks = new Map<Worked, number>();

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Begins to count, from nothing. */
  start(worked: Worked): void {
    if (this.#timer) this.#ticks.set(worked, 0);
  }

  stop(worked: Worked): void {
    this.#ticks.delete(worked);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    for (const [worked, ticks] of this.#ticks) {
      if (!worked.isWorking) continue;
      if (ticks < this.#ticksMax) this.#ticks.set(worked, ticks + 1);
      else worked.expire();
    }
  }
}
