/** Deadlines that are nearly always met: one timer for all of them, which looks now and then. */

const LOOK_MS = 250;

/** What is told when its deadline has passed; it is told up to {@link LOOK_MS} later. */
export interface Expiring {
  expired(): void;
}

export class Deadlines {
  /** Counted in looks: to ask for the time would cost more than all else here. */
  readonly #until = new Map<Expiring, number>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;

  /** Sets the only deadline of this one to so many milliseconds from now. */
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
