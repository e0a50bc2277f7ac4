/**
 * Queues the waiting requests of a source by plan. Requests of one iteration of the event loop are collected, and
 * leave in one write for each connection. While anything is in flight, a timer watches for long statements.
 */
import type { Context } from '../context.js';
import type { Source } from '../database/source.js';
import type { ReadyPlan } from '../plans.js';
import { LongReads, ShortActivity } from './long-reads.js';
import type { ReadHost } from './read-host.js';
import { SharedCommits } from './shared-commits.js';
import { PlanQueue } from './plan-queue.js';
import type { Request } from './request.js';
import { SharedConnections } from './shared-connections.js';
import type { BatchCounters, SourceReads } from './source-reads.js';

const TICK_MS = 10;
/** After this many ticks with nothing in flight, the timer stops. */
const IDLE_TICKS_MAX = 100;

interface SourceQueues {
  readonly reads: SourceReads;
  readonly commits: SharedCommits;
  readonly queues: WeakMap<ReadyPlan, PlanQueue>;
  /** The queues with waiting or running requests. */
  active: PlanQueue[];
}

export class Batcher {
  readonly counters: BatchCounters = { batches: 0, batched: 0, single: 0, failed: 0, waitedMs: 0 };
  readonly #context: Context;
  readonly #host: ReadHost;
  readonly #shortActivity: ShortActivity;
  readonly #sources = new Map<string, SourceQueues>();
  readonly #load = new MeanLoad();
  #isScheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #idleTicks = 0;

  constructor(context: Context, host: ReadHost) {
    this.#context = context;
    this.#host = host;
    this.#shortActivity = new ShortActivity(context.settings.shortActivity);
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
    return this.#context.settings.batching === 'off' ? undefined : this.#sourceOf(source).commits;
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
    for (const { reads } of this.#sources.values()) reads.connections.close();
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
    const made = this.#openSource(this.#context.sources.get(name));
    this.#sources.set(name, made);
    return made;
  }

  #openSource(source: Source): SourceQueues {
    const { settings } = this.#context;
    const { statementTimeoutMs, connectionWaitMs: waitMs } = settings;
    const connections = new SharedConnections({
      pool: source.pool,
      statementTimeoutMs,
      waitMs,
      onRoom: this.#schedule,
      onUnavailable: (error) => {
        for (const queue of queues.active) queue.fail(error);
      },
    });
    source.pool.onWaited = this.#schedule;
    const shortActivity = this.#shortActivity;
    const reads: SourceReads = {
      source,
      connections,
      longReads: new LongReads(settings.longReadsMax, shortActivity),
      shortActivity,
      host: this.#host,
      counters: this.counters,
      settings,
      schedule: this.#schedule,
    };
    const commits = new SharedCommits(source, shortActivity, waitMs);
    const queues: SourceQueues = { reads, commits, queues: new WeakMap(), active: [] };
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

function loadOf({ reads: { connections, source } }: SourceQueues): number {
  return connections.load + (source.pool.isWaitedFor ? 1 : 0);
}

function queueOf({ queues, reads }: SourceQueues, ready: ReadyPlan): PlanQueue {
  const known = queues.get(ready);
  if (known) return known;
  const made = new PlanQueue(ready, reads);
  queues.set(ready, made);
  return made;
}

function startSource(source: SourceQueues, now: number): void {
  if (source.active.length === 0) return;
  for (const queue of source.active) queue.start(now);
  source.reads.connections.flush();
  if (source.active.some(({ isIdle }) => isIdle)) source.active = source.active.filter(staysActive);
}

function staysActive(queue: PlanQueue): boolean {
  queue.isActive = !queue.isIdle;
  return queue.isActive;
}

/** Returns whether anything is in flight. */
function tickSource(source: SourceQueues): boolean {
  const { connections, shortActivity } = source.reads;
  const now = performance.now();
  connections.tick(now);
  for (const queue of source.active) queue.tick(now);
  // Short requests are unanswered, perhaps because long ones take all processor time.
  if (source.active.some(({ hasShort }) => hasShort)) shortActivity.saw();
  // Rotates the plans, so that their waiting long reads take turns.
  source.active.push(...source.active.splice(0, 1));
  startSource(source, now);
  return source.active.length > 0 || connections.isBusy;
}
