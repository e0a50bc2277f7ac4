/** A time limit that starts when it is created. */

export class TimeLimit {
  readonly #expire: () => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isSuspended = false;

  /** A `limitMs` of 0 means no limit. */
  constructor(limitMs: number, expire: () => void) {
    this.#expire = expire;
    if (limitMs > 0) this.#timer = setTimeout(() => this.#end(), limitMs);
  }

  /** Runs work that must not be interrupted. If the time ends meanwhile, reports it afterwards. */
  async without(work: () => Promise<void>): Promise<void> {
    this.#isSuspended = true;
    try {
      await work();
    } finally {
      this.#isSuspended = false;
      if (this.#isOver) this.#expire();
    }
  }

  /** Removes the limit. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.#isOver = true;
    if (!this.#isSuspended) this.#expire();
  }
}
