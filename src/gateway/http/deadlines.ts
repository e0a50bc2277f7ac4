/** Deadlines that are almost always met. One timer checks all of them at intervals. */

const LOOK_MS = 250;
/** The index of those without a deadline. */
export const NO_DEADLINE = -1;

/** Called when its deadline has passed, up to {@link LOOK_MS} late. */
export interface Expiring {
  /** Its index among those with a deadline; at first {@link NO_DEADLINE}. Set only by {@link Deadlines}. */
  deadlineIndex: number;
  expired(): void;
}

export class Deadlines {
  /** A Map under churn would make V8 keep removed elements (see `NumberedTable`). */
  readonly #expiring: Expiring[] = [];
  /** Counted in checks, because asking for the time would cost more than everything else here. */
  readonly #until: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;

  /** Sets the deadline, and replaces an earlier one. */
  set(expiring: Expiring, milliseconds: number): void {
    if (expiring.deadlineIndex === NO_DEADLINE) {
      expiring.deadlineIndex = this.#expiring.length;
      this.#expiring.push(expiring);
    }
    this.#until[expiring.deadlineIndex] = this.#looks + 1 + Math.ceil(milliseconds / LOOK_MS);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  delete(expiring: Expiring): void {
    const index = expiring.deadlineIndex;
    if (index === NO_DEADLINE) return;
    expiring.deadlineIndex = NO_DEADLINE;
    const last = this.#expiring.pop();
    const until = this.#until.pop();
    if (last === undefined || until === undefined || last === expiring) return;
    // The last one takes its place.
    this.#expiring[index] = last;
    this.#until[index] = until;
    last.deadlineIndex = index;
  }

  #look(): void {
    this.#looks += 1;
    for (const expiring of [...this.#expiring]) {
      const until = this.#until[expiring.deadlineIndex];
      if (until === undefined || until > this.#looks) continue;
      this.delete(expiring);
      expiring.expired();
    }
    if (this.#expiring.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
