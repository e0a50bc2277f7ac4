/**
 * Executes requests with large bodies on a separate worker, so that no other request waits for them.
 * The worker starts with the first such request, and ends after a while without any, to free its
 * memory.
 */
import type { RequestData } from '../workers/protocol.js';
import { Dispatcher, type DispatcherOptions } from './dispatcher/dispatcher.js';

/** The ordinary workers parse data up to this size fast enough. */
const SHARED_BYTES_MAX = 1 << 20;
/** Parsed values may take twenty times as much memory as their text. */
const HEAP_MEBIBYTES_MAX = 512;
/** How long the worker may be idle before it ends. */
const IDLE_MS = 10_000;

export class LargeRequests {
  readonly #options: DispatcherOptions;
  readonly #shared: Dispatcher;
  #own: Dispatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `shared` executes everything that is not large. */
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

  dispatcherFor(data: readonly RequestData[]): Dispatcher {
    let bytes = 0;
    for (const each of data) if (typeof each === 'object') bytes += each.byteLength;
    return bytes > SHARED_BYTES_MAX ? this.dispatcher : this.#shared;
  }

  /** The dispatcher of the worker for large requests. */
  get dispatcher(): Dispatcher {
    // Closed, too: it refuses the request.
    if (this.#isClosed) return this.#own ?? this.#shared;
    this.#own ??= new Dispatcher(this.#options);
    this.#timer ??= setTimeout(() => this.#rest(), IDLE_MS).unref();
    this.#timer.refresh();
    return this.#own;
  }

  /** Forgets a plan that has left the cache. */
  forgetPlan(planId: number): void {
    this.#own?.forgetPlan(planId);
  }

  /** Adds what the worker has counted to the totals. */
  async countWorkers(): Promise<void> {
    await this.#own?.countWorkers();
  }

  /** Closes the dispatcher like {@link Dispatcher.close}. */
  async close(deadlineMs: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#own?.close(deadlineMs);
  }

  #rest(): void {
    const own = this.#own;
    if (own === undefined) return;
    if (own.unanswered > 0) {
      this.#timer?.refresh();
      return;
    }
    this.#own = undefined;
    // Nobody waits for it. First, its counts are added to the totals.
    void own.countWorkers().then(() => own.close(IDLE_MS));
  }
}
