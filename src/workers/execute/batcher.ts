/**
 * Queues the waiting requests of a source by plan. Requests of one iteration of the event loop are collected, and
 * leave in one write for each connection. While anything is in flight, a timer watches for long statements.
 */
import type { SourceRegistry } from '../database/registry.js';
import type { Source } from '../database/source.js';
import type { ReadyPlan } from '../plans.js';
import { LongReads } from './long-reads.js';
import type { AloneHost } from './read-host.js';
import { SharedCommits } from './shared-commits.js';
import { PlanQueue, type QueueOptions } from './plan-queue.js';
import type { BatchCounters } from './plan-runs.js';
import type { Request } from './request.js';
import { SharedConnections } from './shared-connections.js';

const TICK_MS = 10;
/** After this many ticks with nothing in flight, the timer stops. */
const IDLE_TICKS_MAX = 100;

/** Provides requests, and receives their answers. */
export type BatcherHost = Omit<AloneHost, 'stop'>;

export interface BatcherOptions
  extends Omit<
    QueueOptions,
    'source' | 'connections' | 'host' | 'counters' | 'waitMs' | 'longReads' | 'onRoom'
  > {
  readonly sources: SourceRegistry;
  readonly host: BatcherHost;
  readonly statementTimeoutMs: number;
  readonly connectionWaitMs: number;
  readonly longReadsMax: number;
}

interface SourceQueues {
  readonly connections: SharedConnections;
  readonly options: QueueOptions;
  readonly commits: SharedCommits;
  readonly queues: WeakMap<ReadyPlan, PlanQueue>;
  /** The queues with waiting or running requests. */
  active: PlanQueue[];
}

export class Batcher {
  readonly counters: BatchCounters = { batches: 0, batched: 0, single: 0, failed: 0, waitedMs: 0 };
  readonly #options: BatcherOptions;
  readonly #sources = new Map<string, SourceQueues>();
  readonly #load = new MeanLoad();
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #idleTicks = 0;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  /** The answer goes to the host. The read starts at the end of the current event-loop iteration. */
  join(request: Request): void {
    const source = this.#sourceOf(request.ready.plan.root.source);
    const queue = queueOf(source, request.ready);
    queue.add(request);
    if (!queue.isActive) source.active.push(queue);
    queue.isActive = true;
    this.#schedule();
  }

  /** Another worker has measured that the plan is short: its requests need not wait for measurements here. */
  learnShort(ready: ReadyPlan): void {
    queueOf(this.#sourceOf(ready.plan.root.source), ready).learnShort();
    this.#schedule();
  }

  /** The batcher for writes that share commits; undefined if they do not. */
  writesOf(source: string): SharedCommits | undefined {
    return this.#options.batching === 'off' ? undefined : this.#sourceOf(source).commits;
  }

  /** When each of the requests that have not started joined, by `performance.now()`. */
  waitersOf(source: string): readonly number[] {
    const active = this.#sources.get(source)?.active ?? [];
    return active.flatMap(({ waiting }) => waiting.map(({ joinedAt }) => joinedAt));
  }

  /**
   * The mean load of the connections since the last call: that of the shared ones (see `load` of `SharedConnections`),
   * and 1 more while a request is waiting for one of its own.
   */
  takeLoad(): number {
    return this.#load.take();
  }

  /** Returns the shared connections to the pool as soon as nothing runs on them. */
  close(): void {
    for (const { connections } of this.#sources.values()) connections.close();
    this.#idleTicks = IDLE_TICKS_MAX;
  }

  readonly #schedule = (): void => {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#start);
  };

  readonly #start = (): void => {
    this.#isScheduled = false;
    const now = performance.now();
    for (const source of this.#sources.values()) startSource(source, now);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    this.#idleTicks = 0;
  };

  #tick(): void {
    // A busy thread runs its timers before it reads answers that have already arrived.
    setImmediate(() => {
      let isBusy = false;
      let load = 0;
      for (const source of this.#sources.values()) load += loadOf(source);
      this.#load.add(load);
      for (const source of this.#sources.values()) isBusy = tickSource(source) || isBusy;
      this.#idleTicks = isBusy ? 0 : this.#idleTicks + 1;
      if (this.#idleTicks > IDLE_TICKS_MAX) this.#stop();
    });
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #sourceOf(name: string): SourceQueues {
    const known = this.#sources.get(name);
    if (known) return known;
    const made = this.#openSource(this.#options.sources.get(name));
    this.#sources.set(name, made);
    return made;
  }

  #openSource(source: Source): SourceQueues {
    const { host, statementTimeoutMs, connectionWaitMs: waitMs } = this.#options;
    const connections: SharedConnections = new SharedConnections({
      pool: source.pool,
      statementTimeoutMs,
      waitMs,
      onRoom: this.#schedule,
      onUnavailable: (error) => {
        for (const queue of queues.active) queue.fail(error);
      },
    });
    source.pool.onWaited = this.#schedule;
    const readHost: AloneHost = { ...host, stop: (work) => connections.cancel(work) };
    const { longReadsMax, shortActivity } = this.#options;
    const longReads = new LongReads(longReadsMax, shortActivity);
    const own = { source, connections, host: readHost, counters: this.counters, waitMs, longReads };
    const options: QueueOptions = { ...this.#options, ...own, onRoom: this.#schedule };
    const commits = new SharedCommits(source, shortActivity, waitMs);
    const queues: SourceQueues = {
      connections,
      options,
      commits,
      queues: new WeakMap(),
      active: [],
    };
    return queues;
  }
}

/** The mean of some samples. */
class MeanLoad {
  #sum = 0;
  #count = 0;

  add(load: number): void {
    this.#sum += load;
    this.#count += 1;
  }

  /** The mean since the last call. */
  take(): number {
    const mean = this.#count === 0 ? 0 : this.#sum / this.#count;
    this.#sum = 0;
    this.#count = 0;
    return mean;
  }
}

function loadOf({ connections, options }: SourceQueues): number {
  return connections.load + (options.source.pool.isWaitedFor ? 1 : 0);
}

function queueOf({ queues, options }: SourceQueues, ready: ReadyPlan): PlanQueue {
  const known = queues.get(ready);
  if (known) return known;
  const made = new PlanQueue(ready, options);
  queues.set(ready, made);
  return made;
}

function startSource(source: SourceQueues, now: number): void {
  if (source.active.length === 0) return;
  for (const queue of source.active) queue.start(now);
  source.connections.flush();
  if (source.active.some(({ isIdle }) => isIdle)) source.active = source.active.filter(staysActive);
}

function staysActive(queue: PlanQueue): boolean {
  queue.isActive = !queue.isIdle;
  return queue.isActive;
}

/** Returns whether anything is in flight. */
function tickSource(source: SourceQueues): boolean {
  const now = performance.now();
  source.connections.tick(now);
  for (const queue of source.active) queue.tick(now);
  // Short requests are unanswered, perhaps because long ones take all processor time.
  if (source.active.some(({ hasShort }) => hasShort)) source.options.shortActivity.saw();
  // Rotates the plans, so that their waiting long reads take turns.
  source.active.push(...source.active.splice(0, 1));
  startSource(source, now);
  return source.active.length > 0 || source.connections.isBusy;
}
