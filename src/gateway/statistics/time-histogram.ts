/** Counts durations in buckets of a quarter of a power of two: quantiles are at most 25 % too large. */

/** Four buckets for each power of two of microseconds, up to 2^31 µs (36 minutes). */
const BUCKETS = 32 * 4;
const US_MAX = 2 ** 31 - 1;

export class TimeHistogram {
  readonly #buckets = new Uint32Array(BUCKETS);

  add(ms: number): void {
    const at = bucketOf(ms * 1000);
    this.#buckets[at] = (this.#buckets[at] ?? 0) + 1;
  }

  /** The duration in milliseconds that this share of the durations does not exceed; 0 if there are none. */
  quantile(share: number): number {
    const count = this.#buckets.reduce((sum, each) => sum + each, 0);
    let left = Math.ceil(count * share);
    if (left === 0) return 0;
    for (const [at, each] of this.#buckets.entries()) {
      left -= each;
      if (left <= 0) return endOf(at) / 1000;
    }
    return 0;
  }
}

/** Below 8 µs, a bucket is 1 µs wide. */
function bucketOf(microseconds: number): number {
  const us = Math.min(US_MAX, Math.max(1, microseconds)) | 0;
  const power = 31 - Math.clz32(us);
  return power < 2 ? us : power * 4 + ((us >> (power - 2)) & 3);
}

function endOf(bucket: number): number {
  if (bucket < 8) return bucket + 1;
  const width = 2 ** ((bucket >> 2) - 2);
  return (5 + (bucket & 3)) * width;
}
