/** Remembers for a while which statements were slow. */
import { LRUCache } from 'lru-cache';

/**
 * A statement counts as slow for this long, in milliseconds. It doubles each time that the statement is slow again soon
 * after that: the first time, it may have waited for a processor, as those of a program that has just started do.
 */
const SLOW_FOR_MS = 1000;
const SLOW_FOR_MS_MAX = 4000;

interface Slow {
  /** By `performance.now()`. */
  readonly until: number;
  readonly forMs: number;
}

/** By their texts. */
export class SlowStatements {
  readonly #texts = new LRUCache<string, Slow>({ max: 1000 });

  has(text: string): boolean {
    const slow = this.#texts.size > 0 ? this.#texts.get(text) : undefined;
    return slow !== undefined && performance.now() < slow.until;
  }

  add(text: string): void {
    const now = performance.now();
    const before = this.#texts.get(text);
    if (before && now < before.until) return;
    const isAgain = before !== undefined && now < before.until + SLOW_FOR_MS_MAX;
    const forMs = isAgain ? Math.min(SLOW_FOR_MS_MAX, 2 * before.forMs) : SLOW_FOR_MS;
    this.#texts.set(text, { until: now + forMs, forMs });
  }
}
