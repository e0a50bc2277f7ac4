/**
 * Who may hold a connection: a fixed number of permits. Flows of requests (a plan's are one) take
 * turns, each in the order of asking, so that a flow of many does not keep one of few waiting.
 * Waiting is bounded in time, and a waiter that is cancelled leaves without a trace.
 */
import type { Cancellation } from '../cancellation.js';
import { SourceError } from './source-error.js';

interface Waiter {
  readonly admit: () => void;
}

/** Whatever asks without a flow of its own. */
const others = {};

export class Semaphore {
  readonly #max: number;
  readonly #waitMs: number;
  /** The flows that wait, the one whose turn it is first. */
  readonly #flows = new Map<object, Set<Waiter>>();
  #taken = 0;

  constructor(max: number, waitMs: number) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Semaphore that nobody holds or waits for. */
  get free(): number {
    return this.#max - this.#taken;
  }

  /** Whether a permit would be taken the moment it is given back. */
  get isWaitedFor(): boolean {
    return this.#flows.size > 0;
  }

  /** Whether a permit may be taken and one is left for others, where there is more than one. */
  get hasSpare(): boolean {
    return this.free >= Math.min(2, this.#max);
  }

  /** Takes a permit at once, or not at all. */
  tryTake(): boolean {
    if (this.#taken === this.#max) return false;
    this.#taken += 1;
    return true;
  }

  /** Takes a permit, waiting for one; rejects with `queue-timeout` or `cancelled`. */
  take(cancellation: Cancellation, flow: object = others): Promise<void> {
    if (cancellation.isCancelled) return Promise.reject(new SourceError('cancelled'));
    if (this.tryTake()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        forget();
        this.#removeWaiter(flow, waiter);
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
      this.#addWaiter(flow, waiter);
      const timer = setTimeout(refuse, this.#waitMs, 'queue-timeout');
      const forget = cancellation.onCancel(() => refuse('cancelled'));
    });
  }

  /** Gives a permit back, to the flow whose turn it is if any waits. */
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

  #addWaiter(flow: object, waiter: Waiter): void {
    const waiters = this.#flows.get(flow);
    if (waiters) waiters.add(waiter);
    else this.#flows.set(flow, new Set([waiter]));
  }

  #removeWaiter(flow: object, waiter: Waiter): void {
    const waiters = this.#flows.get(flow);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#flows.delete(flow);
  }
}
