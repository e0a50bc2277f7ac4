/**
 * The worker threads. Piscina starts and restarts them; each receives a MessagePort with its one task,
 * which lasts as long as the worker serves. The dispatcher decides which request goes where.
 */
import { MessageChannel } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { AttachTask, WorkerContext, WorkerReply } from '../../workers/protocol.js';
import type { Observe } from '../observe.js';
import { WorkerLink } from './worker-link.js';

/** A worker that has run for this long is not considered to be crashing repeatedly. */
const STEADY_MS = 10_000;
const BACK_OFF_FIRST_MS = 100;
const BACK_OFF_LAST_MS = 10_000;
/** The memory for a worker's whole answers. What does not fit is sent in a buffer of its own. */
const ANSWER_BYTES = 1 << 22;
/**
 * The memory for new objects, of a worker: the default of Node.js 20. That of later versions is larger, and a worker that
 * parses large bodies would fill it.
 */
const YOUNG_MEBIBYTES_MAX = 48;

export interface WorkerPoolOptions {
  /** The module of the worker: its default export takes an AttachTask. */
  readonly workerUrl: URL;
  readonly workers: number;
  readonly context: WorkerContext;
  readonly observe: Observe;
  /** The heap limit of a worker; a worker that exceeds it is terminated. */
  readonly heapMebibytesMax: number;
}

/** Called when workers attach, reply and end. */
export interface WorkerPoolListener {
  attached(link: WorkerLink): void;
  /** See `onReply` of `LinkOptions`. */
  replied(link: WorkerLink, reply: WorkerReply, from: number, to: number): void;
  /** The worker has ended; its requests in flight will not be answered. */
  lost(link: WorkerLink): void;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #listener: WorkerPoolListener;
  readonly #piscina: Piscina;
  readonly #closing = new AbortController();
  readonly #serving: Promise<void>[] = [];

  constructor(options: WorkerPoolOptions, listener: WorkerPoolListener) {
    this.#options = options;
    this.#listener = listener;
    this.#piscina = createPiscina(options);
    for (let slot = 0; slot < options.workers; slot++) this.#serving.push(this.#serve());
  }

  /**
   * Waits until every worker has ended its task, but at most this long. The caller must have asked the
   * workers to end. Resolves to whether all have ended.
   */
  async finish(withinMs: number): Promise<boolean> {
    this.#closing.abort();
    const deadline = new AbortController();
    const late = sleep(withinMs, false, { signal: deadline.signal }).catch(() => false);
    const served = Promise.all(this.#serving).then(() => true);
    const isDone = await Promise.race([served, late]);
    deadline.abort();
    return isDone;
  }

  /** Ends the threads immediately. */
  async end(): Promise<void> {
    await this.#piscina.destroy();
    await Promise.all(this.#serving);
  }

  /** Keeps one worker attached until the pool closes. */
  async #serve(): Promise<void> {
    let crashes = 0;
    while (!this.#closing.signal.aborted) {
      const startedAt = performance.now();
      const cause = await this.#attachOnce();
      if (this.#closing.signal.aborted) return;
      crashes = performance.now() - startedAt > STEADY_MS ? 1 : crashes + 1;
      const retryMs = Math.min(BACK_OFF_FIRST_MS * 2 ** (crashes - 1), BACK_OFF_LAST_MS);
      this.#options.observe({ kind: 'worker-lost', cause, retryMs });
      await sleep(retryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** Passes a port to a worker and waits until the worker ends; resolves to the reason. */
  async #attachOnce(): Promise<unknown> {
    const { port1, port2 } = new MessageChannel();
    const memory = new SharedArrayBuffer(ANSWER_BYTES);
    const ending = new AbortController();
    const link: WorkerLink = new WorkerLink(port1, memory, {
      onReply: (...reply) => this.#listener.replied(link, ...reply),
      end: (reason) => ending.abort(reason),
    });
    this.#listener.attached(link);
    const task: AttachTask = { port: port2, memory };
    try {
      // Aborting a running task ends its thread.
      await this.#piscina.run(task, { transferList: [port2], signal: ending.signal });
      return new Error('the worker ended its task');
    } catch (cause) {
      return ending.signal.aborted ? ending.signal.reason : cause;
    } finally {
      link.receiveRest();
      this.#listener.lost(link);
      link.close();
    }
  }
}

function createPiscina(options: WorkerPoolOptions): Piscina {
  const piscina = new Piscina({
    filename: options.workerUrl.href,
    minThreads: options.workers,
    maxThreads: options.workers,
    concurrentTasksPerWorker: 1,
    // The default would park an idle worker in Atomics.wait, with its sockets and timers.
    atomics: 'disabled',
    recordTiming: false,
    workerData: options.context,
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMebibytesMax,
      maxYoungGenerationSizeMb: YOUNG_MEBIBYTES_MAX,
    },
  });
  // An `error` event without a listener would end the process; the lost task reports the same error.
  piscina.on('error', (cause) => options.observe({ kind: 'worker-error', cause }));
  return piscina;
}
