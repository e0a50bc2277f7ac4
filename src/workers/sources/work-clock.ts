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
  /** No more than connections; a Map of what comes and goes has V8 keep what is gone (`NumberedTable`). */
  readonly #counts: { worked: Worked | undefined; ticks: number }[] = [];

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Begins to count, from nothing. */
  start(worked: Worked): void {
    if (!this.#timer) return;
    const place = this.#placeOf(worked) ?? this.#placeOf(undefined);
    if (!place) return void this.#counts.push({ worked, ticks: 0 });
    place.worked = worked;
    place.ticks = 0;
  }

  stop(worked: Worked): void {
    const place = this.#placeOf(worked);
    if (place) place.worked = undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #placeOf(worked: Worked | undefined) {
    return this.#counts.find((each) => each.worked === worked);
  }

  #tick(): void {
    for (const place of this.#counts) {
      if (!place.worked?.isWorking) continue;
      if (place.ticks < this.#ticksMax) place.ticks += 1;
      else place.worked.expire();
    }
  }
}
