/** How long the statements of a plan take, a request, as measured. */

/**
 * Of so many measurements the least counts: what else runs on the machine only ever adds to one, and
 * a statement that is long is long every time.
 */
const MEASUREMENTS = 8;

export class LatencyEstimate {
  /** Values that are one measurement together, as their mean: answers that come at once share their time by chance. */
  readonly #valuesEach: number;
  /** Milliseconds, the newest measurements. */
  readonly #measured: number[] = [];
  #next = 0;
  #leastMs = 0;
  #sumMs = 0;
  #values = 0;

  constructor(valuesEach = 1) {
    this.#valuesEach = valuesEach;
  }

  /** Whether anything was measured. */
  get isKnown(): boolean {
    return this.#leastMs > 0;
  }

  /** How many of the newest measurements there are. */
  get count(): number {
    return this.#measured.length;
  }

  /** The least of the newest measurements, in milliseconds; before the first one, what was seen so far. */
  get leastMs(): number {
    return this.#leastMs;
  }

  learn(tookMs: number): void {
    this.#sumMs += Math.max(0.001, tookMs);
    this.#values += 1;
    const meanMs = this.#sumMs / this.#values;
    if (this.#values < this.#valuesEach) {
      if (this.#measured.length === 0) this.#leastMs = meanMs;
      return;
    }
    this.#sumMs = 0;
    this.#values = 0;
    this.#measured[this.#next] = meanMs;
    this.#next = (this.#next + 1) % MEASUREMENTS;
    this.#leastMs = Math.min(...this.#measured);
  }

  /** Forgets everything measured before. */
  reset(): void {
    this.#measured.length = 0;
    this.#next = 0;
    this.#leastMs = 0;
    this.#sumMs = 0;
    this.#values = 0;
  }
}
