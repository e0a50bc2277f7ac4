/**
 * The time limits of statements, counted in ticks of one timer for each source instead of one for
 * each request. Only the time in which the database works and sends nothing counts; waiting for a client
 * does not. An event-loop iteration has at most one tick, so a busy thread does not blame the database for its own delay.
 */

/** A statement with a time limit. */
export interface Timed {
  /** Whether the database is working for it right now. */
  readonly isWorking: boolean;
  /** When the database last sent anything, by `performance.now()`. */
  readonly heardAt: number;
  /** Called when its work took longer than the limit. */
  expire(): void;
}

interface Watched {
  readonly timed: Timed;
  /** How many ticks it has worked since the database last sent anything. */
  ticks: number;
  heardAt: number;
}

const TICKS = 20;
const TICK_MS_MAX = 200;

export class Deadline {
  readonly #ticksMax: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Only a few. A Map under churn would make V8 keep removed elements (see `NumberedTable`). */
  readonly #watched: Watched[] = [];

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Starts counting from zero. */
  start(timed: Timed): void {
    if (this.#timer) this.#watched.push({ timed, ticks: 0, heardAt: timed.heardAt });
  }

  stop(timed: Timed): void {
    const at = this.#watched.findIndex((each) => each.timed === timed);
    const last = at === -1 ? undefined : this.#watched.pop();
    if (last && last.timed !== timed) this.#watched[at] = last;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    for (const work of [...this.#watched]) {
      const { timed } = work;
      if (!timed.isWorking) continue;
      if (work.heardAt !== timed.heardAt) {
        work.heardAt = timed.heardAt;
        work.ticks = 0;
      } else if (work.ticks < this.#ticksMax) work.ticks += 1;
      else timed.expire();
    }
  }
}
