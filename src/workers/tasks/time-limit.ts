/** The time that something may take in all, from its making. */

export class TimeLimit {
  readonly #expire: () => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isSuspended = false;

  /** `limitMs` 0: no limit. */
  constructor(limitMs: number, expire: () => void) {
    this.#expire = expire;
    if (limitMs > 0) this.#timer = setTimeout(() => this.#end(), limitMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs what must not be interrupted; if the time ends meanwhile, that is reported afterwards. */
  async without(work: () => Promise<void>): Promise<void> {
    this.#isSuspended = true;
    try {
      await work();
    } finally {
      this.#isSuspended = false;
      if (this.#isOver) this.#expire();
    }
  }

  /** Nothing is limited any longer. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.#isOver = true;
    if (!this.#isSuspended) this.#expire();
  }
}
