/**
 * A semaphore for connections with a fixed number of permits. Flows of requests (one for each plan)
 * take turns, so a flow with many requests does not delay one with few; each flow is first-come,
 * first-served. Waiting is limited in time, and a cancelled waiter is removed.
 */
import type { Cancellation } from '../cancellation.js';
import { SourceError } from './source-error.js';

interface Waiter {
  readonly admit: () => void;
  /** By `performance.now()`. */
  readonly since: number;
}

/** The flow of requests without a flow of their own. */
const others = {};

export class Semaphore {
  readonly #max: number;
  readonly #waitMs: number;
  /** The waiting flows; the next one to be served is first. */
  readonly #flows = new Map<object, Set<Waiter>>();
  #taken = 0;

  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Whether a request waits for a permit. */
  get isWaitedFor(): boolean {
    return this.#flows.size > 0;
  }

  /** When each of the waiting requests began to wait, by `performance.now()`. */
  get waiters(): readonly number[] {
    return [...this.#flows.values()].flatMap((flow) => [...flow].map(({ since }) => since));
  }

  /** Whether a permit is free, and another one remains for others (if there is more than one). */
  get hasSpare(): boolean {
    return this.#max - this.#taken >= Math.min(2, this.#max);
  }

  /** Takes a permit if one is free. */
  tryTake(): boolean {
    if (this.#taken === this.#max) return false;
    this.#taken += 1;
    return true;
  }

  /**
   * Waits for a permit; rejects with `queue-timeout` or `cancelled`. `since`: when the request began to wait, by
   * `performance.now()`.
   */
  take(
    cancellation: Cancellation,
    flow: object = others,
    since = performance.now(),
  ): Promise<void> {
    if (cancellation.isCancelled) return Promise.reject(new SourceError('cancelled'));
    if (this.tryTake()) return Promise.resolve();
    const waiters = this.#flows.get(flow) ?? new Set<Waiter>();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        forget();
        waiters.delete(waiter);
        if (waiters.size === 0) this.#flows.delete(flow);
      };
      const refuse = (code: 'queue-timeout' | 'cancelled'): void => {
        leave();
        reject(new SourceError(code));
      };
      const waiter: Waiter = {
        since,
        admit: () => {
          leave();
          resolve();
        },
      };
      this.#flows.set(flow, waiters.add(waiter));
      const leftMs = since + this.#waitMs - performance.now();
      const timer = setTimeout(refuse, Math.max(0, leftMs), 'queue-timeout');
      const forget = cancellation.onCancel(() => refuse('cancelled'));
    });
  }

  /** Returns a permit, to the next waiting flow if there is any. */
  give(): void {
    const [next] = this.#flows;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    const [flow, waiters] = next;
    this.#flows.delete(flow);
    this.#flows.set(flow, waiters);
    const [first] = waiters;
    first?.admit();
  }
}
