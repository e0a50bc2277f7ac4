/** How long the statements of a plan take, a request, as measured. */

/**
 * Of so many measurements the least counts: what else runs on the machine only ever adds to one, and
 * a statement that is long is long every time.
 */
const MEASUREMENTS = 8;

export class LatencyEstimate {
  /** Milliseconds, the newest measurements. */
  readonly #measured: number[] = [];
  #next = 0;
  #leastMs = 0;

  /** Whether anything was measured. */
  get isKnown(): boolean {
    return this.#leastMs > 0;
  }

  /** How many of the newest measurements there are. */
  get count(): number {
    return this.#measured.length;
  }

  /** The least of the newest measurements, in milliseconds. */
  get leastMs(): number {
    return this.#leastMs;
  }

  learn(tookMs: number): void {
    const ms = Math.max(0.001, tookMs);
    this.#measured[this.#next] = ms;
    this.#next = (this.#next + 1) % MEASUREMENTS;
    this.#leastMs = Math.min(...this.#measured);
  }

  /** Forgets everything measured before. */
  reset(): void {
    this.#measured.length = 0;
    this.#next = 0;
    this.#leastMs = 0;
  }
}
