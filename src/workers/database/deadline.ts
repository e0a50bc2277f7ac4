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

const TICKS = 20;
const TICK_MS_MAX = 200;

export class Deadline {
  readonly #ticksMax: number;
  readonly #timer: NodeJS.Timeout | undefined;
  /** How many ticks each of them has worked since the database last sent anything. */
  readonly #watched = new Map<Timed, { ticks: number; heardAt: number }>();

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number) {
    const tickMs = Math.min(TICK_MS_MAX, Math.max(1, Math.ceil(limitMs / TICKS)));
    this.#ticksMax = Math.ceil(limitMs / tickMs);
    this.#timer = limitMs > 0 ? setInterval(() => this.#tick(), tickMs).unref() : undefined;
  }

  /** Starts counting from zero. */
  start(timed: Timed): void {
    if (this.#timer) this.#watched.set(timed, { ticks: 0, heardAt: timed.heardAt });
  }

  stop(timed: Timed): void {
    this.#watched.delete(timed);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    for (const [timed, work] of this.#watched) {
      if (!timed.isWorking) continue;
      if (work.heardAt !== timed.heardAt) {
        work.heardAt = timed.heardAt;
        work.ticks = 0;
      } else if (work.ticks < this.#ticksMax) work.ticks += 1;
      else timed.expire();
    }
  }
}
