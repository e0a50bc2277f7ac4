/**
 * Runs requests whose bodies are large on a worker of their own, which nobody else waits for. It starts
 * with the first such request, and ends when there has been none for a while: its memory is given back.
 */
import type { RequestData } from '../workers/protocol.js';
import { Dispatcher, type DispatcherOptions } from './dispatcher/dispatcher.js';

/** Data up to this size is parsed fast enough by the workers of all. */
const SHARED_BYTES_MAX = 1 << 20;
/** Values may take twenty times as much as their text. */
const HEAP_MEBIBYTES_MAX = 512;
/** After which the worker ends. */
const IDLE_MS = 10_000;

export class LargeRequests {
  readonly #options: DispatcherOptions;
  readonly #shared: Dispatcher;
  #own: Dispatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `shared` runs all that is not large. */
  constructor(options: DispatcherOptions, shared: Dispatcher) {
    const { context } = options;
    this.#options = {
      ...options,
      workers: 1,
      context: { ...context, connectionsPerSource: 1 },
      heapMebibytesMax: HEAP_MEBIBYTES_MAX,
    };
    this.#shared = shared;
  }

  /** Where a request with this data runs. */
  dispatcherFor(data: readonly RequestData[]): Dispatcher {
    let bytes = 0;
    for (const each of data) if (typeof each === 'object') bytes += each.byteLength;
    return bytes > SHARED_BYTES_MAX ? this.dispatcher : this.#shared;
  }

  /** The worker for what is large. */
  get dispatcher(): Dispatcher {
    this.#own ??= new Dispatcher(this.#options);
    this.#timer ??= setTimeout(() => this.#rest(), IDLE_MS).unref();
    this.#timer.refresh();
    return this.#own;
  }

  /** The plan has left the cache. */
  forgetPlan(planId: number): void {
    this.#own?.forgetPlan(planId);
  }

  /** As {@link Dispatcher.close}. */
  async close(deadlineMs: number): Promise<void> {
    clearTimeout(this.#timer);
    await this.#own?.close(deadlineMs);
  }

  #rest(): void {
    const own = this.#own;
    if (own === undefined) return;
    if (own.counters.unanswered > 0) {
      this.#timer?.refresh();
      return;
    }
    this.#own = undefined;
    void own.close(IDLE_MS);
  }
}
