/**
 * The waiting requests of one plan. They run side by side on shared connections, or as one
 * statement if that was measured to be cheaper, or each on its own connection if the plan is long,
 * large or unknown.
 */
import { SourceError } from '../database/source-error.js';
import { Admission } from './admission.js';
import type { ReadyPlan } from '../plans.js';
import { markSlow, PlanRuns } from './plan-runs.js';
import type { Request } from './request.js';
import type { SourceReads } from './source-reads.js';
import { findStrategy, requestsMax, type Strategy } from './strategy.js';

/** How many requests run by themselves while it is not known whether they can run together. */
const SINGLES_MAX = 64;
/** How many requests of a plan run at least, if only one late statement speaks against it. */
const IN_DOUBT_MAX = 2;
/** The wait after a failure, in milliseconds. */
const ASK_AGAIN_MS = 200;
/** One for all refusals, because the stack of an error costs more than the rest of a refusal. */
const QUEUE_FULL = new SourceError('queue-full');
const QUEUE_TIMEOUT = new SourceError('queue-timeout');

export class PlanQueue {
  readonly ready: ReadyPlan;
  /** Whether the batcher watches it. */
  isActive = false;
  readonly #reads: SourceReads;
  readonly #runs: PlanRuns;
  readonly #admission: Admission;
  #waiting: Request[] = [];
  /** The strategy is not requested again before this time, by `performance.now()`. */
  #asksFrom = 0;
  #strategy: Strategy | 'unknown' | 'asking' | 'none';

  constructor(ready: ReadyPlan, reads: SourceReads) {
    this.ready = ready;
    this.#reads = reads;
    const { expectedWaitMs, batching } = reads.settings;
    this.#admission = new Admission(expectedWaitMs);
    this.#runs = new PlanRuns(ready, reads, {
      onAnswered: (count, ranMs, now) => this.#admission.answered(count, ranMs, now),
      onTypesChanged: () => {
        if (this.#strategy !== 'none') this.#strategy = 'unknown';
      },
    });
    const { parameters } = ready.plan;
    const isSame = parameters.length === 0 && !ready.asksTime;
    this.#strategy = batching === 'off' ? 'none' : isSame ? { kind: 'same' } : 'unknown';
  }

  /** Whether nothing waits or runs. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#runs.isIdle;
  }

  /** Whether short requests are unanswered. */
  get hasShort(): boolean {
    const { estimates, served } = this.#runs;
    return estimates.isKnown && estimates.isShort && this.#waiting.length + served.length > 0;
  }

  /** The requests that do not run. */
  get waiting(): readonly Request[] {
    const { stopped } = this.#runs;
    return stopped ? [stopped, ...this.#waiting] : this.#waiting;
  }

  /** Queues a request, or refuses it if it would wait too long. */
  add(request: Request): void {
    const unanswered = this.#waiting.length + this.#runs.unanswered;
    if (unanswered === 0) this.#admission.begin(request.joinedAt);
    // Streamed answers last as long as their clients read, and have a limit of their own.
    if (this.ready.isStreamed || this.#admission.admits(unanswered)) this.#waiting.push(request);
    else this.#reads.host.failed(request, QUEUE_FULL);
  }

  /** Another worker has measured that its statements are short. */
  learnShort(): void {
    this.#runs.estimates.learnShortElsewhere();
  }

  /** Starts the requests that can run now. */
  start(now: number): void {
    if (this.#waiting.some(({ isCancelled }) => isCancelled)) this.#dropCancelled();
    this.#startStopped();
    if (this.#waiting.length === 0) return;
    if (this.#reads.settings.batching === 'always' && this.#awaitStrategy()) return;
    const { estimates } = this.#runs;
    if (!estimates.isKnown) return this.#tryOut();
    if (!estimates.mayShare) return this.#startLong();
    if (!this.#reads.connections.hasRoom) return;
    const strategy = this.#strategyFor(this.#waiting.length, now);
    if (!strategy) return this.#startSideBySide(this.#singlesMax);
    if (strategy.kind !== 'same') this.#startSideBySide(estimates.singlesToMeasure(now));
    if (this.#waiting.length > 0) this.#startTogether(strategy, now);
  }

  /** Called at intervals. */
  tick(now: number): void {
    const { slowMs, connectionWaitMs } = this.#reads.settings;
    this.#runs.tick(now);
    markSlow(this.#waiting, now, slowMs);
    const before = now - connectionWaitMs;
    const { stopped } = this.#runs;
    if (stopped && stopped.joinedAt < before) this.#runs.failStopped(QUEUE_TIMEOUT);
    const late = this.#waiting.filter(({ joinedAt }) => joinedAt < before);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ joinedAt }) => joinedAt >= before);
    for (const request of late) this.#reads.host.failed(request, QUEUE_TIMEOUT);
  }

  /** Fails all waiting requests, because there is no connection. */
  fail(error: unknown): void {
    for (const request of this.#waiting.splice(0)) this.#reads.host.failed(request, error);
  }

  #dropCancelled(): void {
    const { host } = this.#reads;
    this.#waiting = this.#waiting.filter((request) => {
      if (request.isCancelled) host.failed(request, new SourceError('cancelled'));
      return !request.isCancelled;
    });
  }

  /** The plan is unknown: its first request runs alone, and the others wait for the measurement. */
  #tryOut(): void {
    const [first] = this.#waiting;
    if (!first || !this.#runs.isIdle || !this.#reads.longReads.mayTry) return;
    this.#waiting.shift();
    this.#runs.tryOut(first);
  }

  /** A request that was stopped runs again before others of the plan, which wait for its measurement. */
  #startStopped(): void {
    const { estimates, stopped } = this.#runs;
    if (!stopped) return;
    const isFree = this.ready.isStreamed || (estimates.isKnown && estimates.mayShare);
    if (isFree || this.#reads.longReads.room > 0) this.#runs.runStopped();
  }

  /** Starts as many as may run beside short statements. */
  #startLong(): void {
    const waiting = this.#waiting.length;
    const { estimates, unanswered } = this.#runs;
    const least = estimates.isInDoubt ? IN_DOUBT_MAX - unanswered : 0;
    // Streamed answers have their own limit.
    const room = this.ready.isStreamed ? waiting : Math.max(least, this.#reads.longReads.room);
    this.#runs.startAlone(this.#waiting.splice(0, Math.min(room, waiting)));
  }

  /** The strategy for this many waiting requests; undefined: side by side. */
  #strategyFor(waiting: number, now: number): Strategy | undefined {
    if (this.#strategy === 'none' || this.#strategy === 'asking') return undefined;
    if (this.#strategy !== 'unknown') {
      const { kind } = this.#strategy;
      return kind === 'same' || this.#runs.estimates.prefersBatch(now) ? this.#strategy : undefined;
    }
    if (waiting > 1 && now >= this.#asksFrom) void this.#askStrategy();
    return undefined;
  }

  async #askStrategy(): Promise<void> {
    this.#strategy = 'asking';
    const { source } = this.#reads;
    const [first] = this.#waiting;
    const found = first && findStrategy(source, this.ready.plan, first.values);
    try {
      this.#strategy = (await found) ?? 'none';
    } catch {
      // Run side by side, each request gets its own error. Later the strategy may be found.
      this.#strategy = 'unknown';
      this.#asksFrom = performance.now() + ASK_AGAIN_MS;
    }
    this.#reads.schedule();
  }

  /** Requests the strategy if necessary; returns whether requests should wait for it. */
  #awaitStrategy(): boolean {
    const isToAsk = this.#strategy === 'unknown' && performance.now() >= this.#asksFrom;
    if (isToAsk) void this.#askStrategy();
    return this.#strategy === 'asking';
  }

  /** How many waiting requests may start by themselves; while the strategy is being found, not all of them. */
  get #singlesMax(): number {
    const isOpen = this.#strategy === 'unknown' || this.#strategy === 'asking';
    return isOpen ? SINGLES_MAX - this.#runs.unanswered : this.#waiting.length;
  }

  #startSideBySide(most: number): void {
    const { connections } = this.#reads;
    const waiting = this.#waiting;
    let started = 0;
    while (started < most && started < waiting.length && connections.hasRoom) {
      const request = waiting[started];
      started += 1;
      if (request) this.#runs.startOne(request);
    }
    this.#waiting = started === waiting.length ? [] : waiting.slice(started);
  }

  /** While its statements run, later requests wait, so that they can run together. */
  #startTogether(strategy: Strategy, now: number): void {
    const { estimates, served } = this.#runs;
    if (!estimates.mayStart(served, this.#waiting.length)) return;
    const most = Math.min(estimates.batchMax, requestsMax(strategy));
    const requests = this.#waiting.splice(0, most);
    const [first] = requests;
    if (first && requests.length === 1) this.#runs.startOne(first);
    else this.#runs.startBatch(strategy, requests, now);
  }
}
