/**
 * The worker threads, which are started again when they end. Each receives a MessagePort with its one task, which lasts as long as
 * the worker serves. The dispatcher decides which request goes where.
 */
import { MessageChannel } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerReply } from '../../workers/protocol.js';
import type { Observe } from '../observe.js';
import { WorkerLink } from './worker-link.js';
import { startThread, type ThreadOptions, type WorkerThread } from './worker-thread.js';

/** A worker that has run for this long is not considered to be crashing repeatedly. */
const STEADY_MS = 10_000;
const BACK_OFF_FIRST_MS = 100;
const BACK_OFF_LAST_MS = 10_000;

export interface WorkerPoolOptions extends ThreadOptions {
  readonly workers: number;
  readonly observe: Observe;
}

/** Called when workers attach, reply and end. */
export interface WorkerPoolListener {
  attached(link: WorkerLink): void;
  /** See `onReply` of `LinkOptions`. */
  replied(link: WorkerLink, reply: WorkerReply, from: number, to: number): void;
  /** The worker has ended; its requests in flight will not be answered. Returns whether another one is to replace it. */
  lost(link: WorkerLink): boolean;
}

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #listener: WorkerPoolListener;
  /** Those that have not exited. */
  readonly #threads = new Set<WorkerThread>();
  readonly #closing = new AbortController();
  readonly #serving: Promise<void>[] = [];

  constructor(options: WorkerPoolOptions, listener: WorkerPoolListener) {
    this.#options = options;
    this.#listener = listener;
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
    for (const thread of this.#threads) thread.end(new Error('the workers were closed'));
    await Promise.all([...this.#serving, ...[...this.#threads].map(({ exited }) => exited)]);
  }

  /** Keeps one worker attached as long as one is to replace it. */
  async #serve(): Promise<void> {
    let crashes = 0;
    while (!this.#closing.signal.aborted) {
      const startedAt = performance.now();
      const { isReplaced, cause } = await this.#attachOnce();
      if (!isReplaced) return;
      crashes = performance.now() - startedAt > STEADY_MS ? 1 : crashes + 1;
      const retryMs = Math.min(BACK_OFF_FIRST_MS * 2 ** (crashes - 1), BACK_OFF_LAST_MS);
      this.#options.observe({ kind: 'worker-lost', cause, retryMs });
      await sleep(retryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
  }

  /** Passes a port to a worker and waits until the worker ends. */
  async #attachOnce() {
    const { port1, port2 } = new MessageChannel();
    const memory = takeAnswerMemory();
    const thread = startThread(this.#options, { port: port2, memory });
    this.#threads.add(thread);
    const link: WorkerLink = new WorkerLink(port1, memory, {
      onReply: (...reply) => this.#listener.replied(link, ...reply),
      end: thread.end,
    });
    this.#listener.attached(link);
    const cause = await thread.ended;
    link.receiveRest();
    const isReplaced = this.#listener.lost(link);
    link.close();
    // Another worker does not wait for that.
    void thread.exited.then(() => {
      this.#threads.delete(thread);
      giveAnswerMemory(memory);
    });
    return { isReplaced, cause };
  }
}

/** The memory for the whole answers of a worker. What does not fit is sent in a buffer of its own. */
const ANSWER_BYTES = 1 << 22;
/** More than this is left to the garbage collection. */
const SPARE_MAX = 32;

/** The memory of ended workers: V8 does not count shared memory, so nothing would hurry the collection of its garbage. */
const spare: SharedArrayBuffer[] = [];

function takeAnswerMemory(): SharedArrayBuffer {
  return spare.pop() ?? new SharedArrayBuffer(ANSWER_BYTES);
}

/** Nothing may use the memory any longer: the thread of the worker must have exited. */
function giveAnswerMemory(memory: SharedArrayBuffer): void {
  if (spare.length < SPARE_MAX) spare.push(memory);
}
