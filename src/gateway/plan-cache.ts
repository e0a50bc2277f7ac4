/**
 * The cache of compiled queries, keyed on expression, stage and view, and limited by count and bytes.
 * Concurrent misses of one key share one compilation; its failure goes to all of them and is not cached.
 */
import { LRUCache } from 'lru-cache';
import type { CompiledQuery } from '../engine/index.js';
import type { CompileSink, Failure } from './dispatcher/sinks.js';
import type { PlanRecord } from './statistics/plan-statistics.js';
import type { PlanTotals } from './statistics/totals.js';

/** A plan, and the number that identifies it to the workers. */
export interface PlanEntry {
  readonly planId: number;
  readonly plan: CompiledQuery;
  readonly record: PlanRecord;
  /** Whether it has left the cache. Requests that have it can still be executed. */
  isEvicted: boolean;
}

/** Receives a plan: during the call on a hit, later on a miss. */
export interface PlanSink {
  planned(entry: PlanEntry): void;
  failed(failure: Failure): void;
}

export type Compile = (key: PlanKey, sink: CompileSink) => void;

export interface PlanCacheOptions {
  readonly entriesMax: number;
  readonly bytesMax: number;
  readonly totals: PlanTotals;
  /** The most requests that may wait for compilations. */
  readonly waitersMax: number;
  readonly compile: Compile;
  readonly recordOf: (key: PlanKey, planId: number) => PlanRecord;
  /** Called with the id of a plan that left the cache. */
  readonly onEvicted: (planId: number) => void;
}

export interface PlanCacheCounters extends Readonly<PlanTotals> {
  readonly entries: number;
  readonly bytes: number;
}

export class PlanCache {
  readonly #options: PlanCacheOptions;
  readonly #entries: LRUCache<string, PlanEntry>;
  readonly #waiting = new Map<string, PlanSink[]>();
  #waiters = 0;
  #lastPlanId = 0;
  readonly #totals: PlanTotals;

  constructor(options: PlanCacheOptions) {
    this.#options = options;
    this.#totals = options.totals;
    this.#entries = new LRUCache({
      max: options.entriesMax,
      maxSize: options.bytesMax,
      sizeCalculation: (entry) => Math.max(1, entry.plan.bytes),
      dispose: (entry) => this.#onDisposed(entry),
    });
  }

  get counters(): PlanCacheCounters {
    return {
      ...this.#totals,
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
    };
  }

  /** The plan if it is cached; a miss is not counted. */
  find({ text }: PlanKey): PlanEntry | undefined {
    const entry = this.#entries.get(text);
    if (entry !== undefined) this.#totals.hits++;
    return entry;
  }

  /** Finds the plan, or requests its compilation. */
  obtain(key: PlanKey, sink: PlanSink): void {
    const entry = this.find(key);
    if (entry !== undefined) {
      sink.planned(entry);
      return;
    }
    this.#totals.misses++;
    const waiting = this.#waiting.get(key.text);
    if (this.#waiters >= this.#options.waitersMax) sink.failed(WAITERS_FULL);
    else if (waiting !== undefined) this.#wait(waiting, sink);
    else this.#compile(key, sink);
  }

  #wait(waiting: PlanSink[], sink: PlanSink): void {
    this.#waiters++;
    waiting.push(sink);
  }

  #compile(key: PlanKey, first: PlanSink): void {
    const { text } = key;
    const waiting: PlanSink[] = [];
    this.#wait(waiting, first);
    this.#waiting.set(text, waiting);
    const settled = () => {
      this.#waiting.delete(text);
      this.#waiters -= waiting.length;
    };
    this.#options.compile(key, {
      compiled: (plan) => {
        settled();
        const planId = ++this.#lastPlanId;
        const record = this.#options.recordOf(key, planId);
        const entry: PlanEntry = { planId, plan, record, isEvicted: false };
        this.#entries.set(text, entry);
        for (const sink of waiting) sink.planned(entry);
        // A plan that does not fit is not cached, so no request will use its number again.
        if (this.#entries.peek(text) !== entry) this.#evict(entry);
      },
      failed: (failure) => {
        settled();
        for (const sink of waiting) sink.failed(failure);
      },
    });
  }

  #onDisposed(entry: PlanEntry): void {
    this.#totals.evictions++;
    this.#evict(entry);
  }

  #evict(entry: PlanEntry): void {
    entry.isEvicted = true;
    this.#options.onEvicted(entry.planId);
  }
}

const WAITERS_FULL: Failure = {
  problem: { code: 'queue-full', detail: 'Too many requests are waiting for their plan.' },
};

/**
 * Separates the parts of a key. An expression under the default stage and view never begins with it.
 */
const MARK = '\u0000';

/** What identifies a plan. */
export interface PlanKey {
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
  /** Set for the plan that counts the rows of the query without its page. */
  readonly isTotal?: true;
  /** An unambiguous text. In the common case, it is the expression itself, which costs nothing. */
  readonly text: string;
}

export function planKeyOf(expression: string, stage: string, view: string): PlanKey {
  const isCommon = stage === 'default' && view === 'default' && !expression.startsWith(MARK);
  const text = isCommon
    ? expression
    : `${MARK}${stage.length}:${stage}${view.length}:${view}${expression}`;
  return { expression, stage, view, text };
}

/** The key of the plan that counts the rows of a query without its page. */
export function totalKeyOf(key: PlanKey): PlanKey {
  return { ...key, isTotal: true, text: `${MARK}total ${key.text}` };
}
