/** Estimates from measurements how long the statements of a plan take for each request. */

/**
 * The smallest of this many measurements counts. Other work on the machine only makes a measurement
 * larger, and a long statement is long every time.
 */
const MEASUREMENTS = 8;

export class LatencyEstimate {
  /** How many values form a measurement, as their mean: answers that arrive together share their time. */
  readonly #valuesEach: number;
  /** The latest measurements, in milliseconds. */
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

  /** The number of measurements that are kept. */
  get count(): number {
    return this.#measured.length;
  }

  /** The smallest of the latest measurements; before the first one, of the values so far. */
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
    this.measured(meanMs);
  }

  /** Adds a whole measurement. */
  measured(ms: number): void {
    this.#sumMs = 0;
    this.#values = 0;
    this.#measured[this.#next] = Math.max(0.001, ms);
    this.#next = (this.#next + 1) % MEASUREMENTS;
    this.#leastMs = Math.min(...this.#measured);
  }

  /** Forgets all measurements. */
  reset(): void {
    this.#measured.length = 0;
    this.#next = 0;
    this.#leastMs = 0;
    this.#sumMs = 0;
    this.#values = 0;
  }
}
