/** A limit on how long a reader may take nothing of an answer that is waiting for it. */

export class StallGuard {
  readonly #limitMs: number;
  readonly #onStall: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onStall: () => void) {
    this.#limitMs = limitMs;
    this.#onStall = onStall;
  }

  /** Begins the wait, or begins it anew. */
  start(): void {
    if (this.#timer !== undefined) this.#timer.refresh();
    else this.#timer = setTimeout(this.#onStall, this.#limitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
