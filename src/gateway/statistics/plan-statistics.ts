/**
 * The statistics of each plan since the last reset, like pg_stat_statements for PostgreSQL. If
 * there are too many plans, those that ran last are kept.
 */
import type { PlanTally } from '../../workers/protocol.js';
import type { PlanKey } from '../plan-cache.js';
import { LatencyHistogram } from './latency-histogram.js';

/** When the list is full, this share of it makes room for new plans. */
const DROPPED_SHARE = 0.1;

/** The statistics of one plan. A hot path (bench, "point"). */
export class PlanRecord {
  /**
   * Its number in the plan cache and in the log; a plan that is compiled again gets another one.
   */
  planId = 0;
  readonly key: PlanKey;
  calls = 0;
  errors = 0;
  cancelled = 0;
  totalMs = 0;
  maxMs = 0;
  #times: LatencyHistogram | undefined;
  /** What the workers have reported. */
  readonly tally = { requests: 0, statements: 0, rows: 0, databaseMs: 0 };
  /** When its last request ended, by `performance.now()`. */
  lastAt = 0;
  /** A plan that was removed to make room is listed again when it runs again. */
  isListed = false;

  constructor(key: PlanKey) {
    this.key = key;
  }

  /** Records a request that ended after this time. */
  ended(ms: number, now: number): void {
    this.calls += 1;
    this.totalMs += ms;
    if (ms > this.maxMs) this.maxMs = ms;
    (this.#times ??= new LatencyHistogram()).add(ms);
    this.lastAt = now;
  }

  /** The time in milliseconds that 99 % of its requests do not exceed. */
  get p99Ms(): number {
    return Math.min(this.maxMs, this.#times?.percentile(0.99) ?? 0);
  }

  add({ requests, statements, rows, databaseMs }: PlanTally): void {
    this.tally.requests += requests;
    this.tally.statements += statements;
    this.tally.rows += rows;
    this.tally.databaseMs += databaseMs;
  }

  reset(): void {
    Object.assign(this, { calls: 0, errors: 0, cancelled: 0, totalMs: 0, maxMs: 0 });
    this.#times = undefined;
    Object.assign(this.tally, { requests: 0, statements: 0, rows: 0, databaseMs: 0 });
  }
}

export class PlanStatistics {
  readonly #plansMax: number;
  #records = new Map<string, PlanRecord>();
  /** When the statistics began, in milliseconds since 1970. */
  since = Date.now();
  /** How many plans made room for others. */
  dropped = 0;

  constructor(plansMax: number) {
    this.#plansMax = plansMax;
  }

  /** The record for a plan that was just compiled. */
  recordOf(key: PlanKey): PlanRecord {
    const known = this.#records.get(key.text);
    if (known) return known;
    const record = new PlanRecord(key);
    this.list(record);
    return record;
  }

  /** Adds a record that is not listed. */
  list(record: PlanRecord): void {
    const { text } = record.key;
    if (this.#records.size >= this.#plansMax && !this.#records.has(text)) this.#makeRoom();
    record.lastAt = performance.now();
    record.isListed = true;
    this.#records.set(text, record);
  }

  /** The records of all plans that have run. */
  get all(): readonly PlanRecord[] {
    return [...this.#records.values()].filter(({ calls, cancelled }) => calls + cancelled > 0);
  }

  reset(): void {
    this.since = Date.now();
    this.dropped = 0;
    for (const record of this.#records.values()) record.reset();
  }

  /** Drops the plans that have not run for longest. */
  #makeRoom(): void {
    const byUse = [...this.#records].toSorted(([, a], [, b]) => b.lastAt - a.lastAt);
    const kept = Math.floor(this.#plansMax * (1 - DROPPED_SHARE));
    for (const [, record] of byUse.slice(kept)) {
      record.isListed = false;
      record.reset();
    }
    this.dropped += byUse.length - kept;
    this.#records = new Map(byUse.slice(0, kept));
  }
}
