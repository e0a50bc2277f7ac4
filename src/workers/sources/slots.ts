/**
 * Who may hold a connection: a fixed number of slots, handed out in the order of asking. Waiting
 * is bounded in time, and a waiter that is cancelled leaves without a trace.
 */
import type { Cancellation } from '../execution/cancellation.js';
import { SourceError } from './source-error.js';

interface Waiter {
  readonly admit: () => void;
}

export class Slots {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #waiters = new Set<Waiter>();
  #taken = 0;

  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Slots that nobody holds or waits for. */
  get free(): number {
    return this.#max - this.#taken;
  }

  /** Whether a slot may be taken and one is left for others, where there is more than one. */
  get hasSpare(): boolean {
    return this.free >= Math.min(2, this.#max);
  }

  /** Takes a slot at once, or not at all. */
  tryTake(): boolean {
    if (this.#taken === this.#max) return false;
    this.#taken += 1;
    return true;
  }

  /** Takes a slot, waiting for one; rejects with `queue-timeout` or `cancelled`. */
  take(cancellation: Cancellation): Promise<void> {
    if (cancellation.isCancelled) return Promise.reject(new SourceError('cancelled'));
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        forget();
        this.#waiters.delete(waiter);
      };
      const refuse = (code: 'queue-timeout' | 'cancelled'): void => {
        leave();
        reject(new SourceError(code));
      };
      const waiter: Waiter = {
        admit: () => {
          leave();
          resolve();
        },
      };
      this.#waiters.add(waiter);
      const timer = setTimeout(refuse, this.#waitMs, 'queue-timeout');
      const forget = cancellation.onCancel(() => refuse('cancelled'));
    });
  }

  /** Gives a slot back, to the first waiter if there is one. */
  give(): void {
    const [first] = this.#waiters;
    if (first) first.admit();
    else this.#taken -= 1;
  }
}
