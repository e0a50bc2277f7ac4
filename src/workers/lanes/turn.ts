/** A statement of a lane under way: the next requests wait for it, unless it takes too long. */

export class Turn {
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isWaitedFor = true;

  /** False from when it has taken too long. */
  get isWaitedFor(): boolean {
    return this.#isWaitedFor;
  }

  /** The statement begins; calls `onLost` when it runs longer than that. */
  begin(patienceMs: number, onLost: () => void): void {
    const lose = (): void => {
      if (this.#isOver) return;
      this.#isWaitedFor = false;
      onLost();
    };
    // A busy thread runs its timers before it reads an answer that has long arrived.
    this.#timer = setTimeout(() => setImmediate(lose), patienceMs);
  }

  /** Once it has taken too long: calls `action` when it runs on for so long. */
  after(timeMs: number, action: () => void): void {
    this.#timer = setTimeout(action, timeMs);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
