/** Watches a slow reader at intervals, and reports if it has read nothing for too long. */

import type { AnswerOwner } from './exchange.js';

/** How many times it checks within the time limit. */
const LOOKS = 4;

export class Patience {
  readonly #owner: AnswerOwner;
  readonly #look: () => void | Promise<void>;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** When the reader last read something; undefined while nothing waits for it. */
  #takenAt: number | undefined;

  /** `look` is called at intervals. It calls `wait` again if the reader has read something. */
  constructor(
    owner: AnswerOwner,
    look: () => void | Promise<void>,
    intervalMsMax = Number.POSITIVE_INFINITY,
  ) {
    this.#owner = owner;
    this.#look = look;
    this.#intervalMs = Math.min(intervalMsMax, Math.ceil(owner.writeStallMs / LOOKS));
  }

  get isWaiting(): boolean {
    return this.#takenAt !== undefined;
  }

  /** Starts to check at intervals, whether or not something waits. */
  begin(): void {
    this.#timer ??= setInterval(() => void this.#check(), this.#intervalMs).unref();
  }

  /** Starts the time limit, or starts it again. */
  wait(): void {
    this.begin();
    this.#takenAt = performance.now();
  }

  /** The reader has read everything. */
  waitNoMore(): void {
    this.#takenAt = undefined;
  }

  end(): void {
    this.waitNoMore();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(): Promise<void> {
    const { writeStallMs } = this.#owner;
    await this.#look();
    if (this.#takenAt !== undefined && performance.now() - this.#takenAt >= writeStallMs) {
      this.#owner.abort();
    }
  }
}
