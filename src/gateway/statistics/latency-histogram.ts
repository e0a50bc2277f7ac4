/** Counts durations, and draws their distribution. */

/** Each doubling of the duration has four buckets. The first bucket ends at 0.0625 ms. */
const PER_DOUBLING = 4;
const LEAST_MS = 1 / 16;
const BAR_MAX = 40;

export class LatencyHistogram {
  readonly #counts: number[] = [];
  #total = 0;

  add(ms: number): void {
    const at = Math.max(0, Math.ceil(Math.log2(ms / LEAST_MS) * PER_DOUBLING));
    while (this.#counts.length <= at) this.#counts.push(0);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total += 1;
  }

  /**
   * The upper end, in milliseconds, of the bucket that contains this percentile; less than 20 % above
   * the exact value. `share` is between 0 and 1.
   */
  percentile(share: number): number {
    let left = Math.max(1, Math.ceil(share * this.#total));
    for (const [at, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return endOf(at);
    }
    return 0;
  }

  /** A line for each bucket from the first to the last that is not empty. */
  lines(): readonly string[] {
    const first = this.#counts.findIndex((count) => count > 0);
    if (first === -1) return [];
    const most = this.#counts.reduce((left, right) => Math.max(left, right), 0);
    return this.#counts.slice(first).map((count, index) => {
      const bar = '█'.repeat(Math.ceil((BAR_MAX * count) / most));
      const share = ((100 * count) / this.#total).toFixed(1);
      const end = endOf(first + index).toFixed(2);
      return `${end.padStart(10)} ms ${String(count).padStart(9)} ${share.padStart(5)} % ${bar}`.trimEnd();
    });
  }
}

function endOf(at: number): number {
  return LEAST_MS * 2 ** (at / PER_DOUBLING);
}
