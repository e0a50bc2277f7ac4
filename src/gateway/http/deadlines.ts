/** Deadlines that are almost always met. One timer checks all of them at intervals. */

const LOOK_MS = 250;

/** Called when its deadline has passed, up to {@link LOOK_MS} late. */
export interface Expiring {
  expired(): void;
}

export class Deadlines {
  /** Counted in checks, because asking for the time would cost more than everything else here. */
  readonly #until = new Map<Expiring, number>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;

  /** Sets the deadline, and replaces an earlier one. */
  set(expiring: Expiring, milliseconds: number): void {
    this.#until.set(expiring, this.#looks + 1 + Math.ceil(milliseconds / LOOK_MS));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  delete(expiring: Expiring): void {
    this.#until.delete(expiring);
  }

  #look(): void {
    this.#looks += 1;
    for (const [expiring, until] of this.#until) {
      if (until > this.#looks) continue;
      this.#until.delete(expiring);
      expiring.expired();
    }
    if (this.#until.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
