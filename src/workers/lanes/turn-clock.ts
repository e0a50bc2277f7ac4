/**
 * Ends the patience with statements that take too long. One timer watches them all, and only while
 * there are some: a timer for each would cost more than most statements do.
 */

/** What is watched. */
export interface Watched {
  /** It runs longer than that (by `performance.now()`). */
  readonly patientUntil: number;
  lose(): void;
}

const TICK_MS = 10;
/** Ticks without a statement after which the timer stops. */
const IDLE_TICKS_MAX = 100;

class TurnClock {
  /** A few; a Set of what comes and goes has V8 keep what is gone (see `NumberedTable`). */
  readonly #watched: Watched[] = [];
  #timer: NodeJS.Timeout | undefined;
  #idleTicks = 0;

  watch(watched: Watched): void {
    this.#watched.push(watched);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
  }

  forget(watched: Watched): void {
    removeFrom(this.#watched, watched);
  }

  #tick(): void {
    this.#idleTicks = this.#watched.length === 0 ? this.#idleTicks + 1 : 0;
    if (this.#idleTicks > IDLE_TICKS_MAX) return this.#stop();
    // A busy thread runs its timers before it reads an answer that has long arrived.
    if (this.#watched.length > 0) setImmediate(() => this.#loseThoseTooLong());
  }

  #loseThoseTooLong(): void {
    const now = performance.now();
    const late = this.#watched.filter(({ patientUntil }) => patientUntil <= now);
    for (const watched of late) {
      this.forget(watched);
      watched.lose();
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#idleTicks = 0;
  }
}

/** The order does not matter. */
function removeFrom(list: Watched[], watched: Watched): void {
  const at = list.indexOf(watched);
  const last = at === -1 ? undefined : list.pop();
  if (last !== undefined && last !== watched) list[at] = last;
}

/** The clock of this thread. */
export const turnClock = new TurnClock();
