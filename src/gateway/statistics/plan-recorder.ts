/**
 * Records the executions and transactions of one service as they end: in the statistics of their plans
 * and, if they were slow, in the log.
 */
import type { PlanTally, RequestData } from '../../workers/protocol.js';
import type { Configuration } from '../config.js';
import type { Pending } from '../dispatcher/pending.js';
import type { Observe } from '../observe.js';
import type { PlanEntry, PlanKey } from '../plan-cache.js';
import type { PlanRecord, PlanStatistics } from './plan-statistics.js';

export type Outcome = 'answered' | 'failed' | 'cancelled';

export class PlanRecorder {
  readonly #statistics: PlanStatistics;
  readonly #observe: Observe;
  readonly #configuration: Configuration;
  /** The plans in the cache. */
  readonly #records = new Map<number, PlanRecord>();

  constructor(statistics: PlanStatistics, observe: Observe, configuration: Configuration) {
    this.#statistics = statistics;
    this.#observe = observe;
    this.#configuration = configuration;
  }

  /** The record of a plan that was just compiled. */
  recordOf(key: PlanKey, planId: number): PlanRecord {
    const record = this.#statistics.recordOf(key);
    record.planId = planId;
    this.#records.set(planId, record);
    return record;
  }

  forget(planId: number): void {
    this.#records.delete(planId);
  }

  /** Adds what a worker has counted. */
  add(tallies: readonly PlanTally[]): void {
    for (const tally of tallies) this.#records.get(tally.planId)?.add(tally);
  }

  /** Records the end of a request. `now` is the time by `performance.now()`. */
  ended(pending: Pending, outcome: Outcome, now: number): void {
    const { order, startedAt } = pending;
    if (order === undefined || ('explains' in order && order.explains)) return;
    const ms = now - startedAt;
    if ('steps' in order) {
      // The time of a transaction is divided among its steps.
      const each = ms / order.steps.length;
      for (const { entry } of order.steps) this.#record(entry, outcome, each, now);
    } else this.#record(order.entry, outcome, ms, now);
    const { slowMs } = this.#configuration;
    if (ms >= slowMs && slowMs > 0) this.#reportSlow(pending, outcome, ms);
  }

  #record({ record }: PlanEntry, outcome: Outcome, ms: number, now: number): void {
    if (!record.isListed) this.#statistics.list(record);
    if (outcome === 'cancelled') record.cancelled += 1;
    else {
      if (outcome === 'failed') record.errors += 1;
      record.ended(ms, now);
    }
  }

  #reportSlow({ order, sink, timing }: Pending, outcome: Outcome, totalMs: number): void {
    if (order === undefined) return;
    const { logParameters } = this.#configuration;
    const steps = 'steps' in order ? order.steps : [order];
    this.#observe({
      kind: 'slow-query',
      requestId: sink.requestId,
      outcome,
      totalMs: rounded(totalMs),
      queueMs: timing?.queueMs === undefined ? undefined : rounded(timing.queueMs),
      databaseMs: timing === undefined ? undefined : rounded(timing.databaseMs),
      rows: timing?.rows,
      queries: steps.map(({ entry, data }) => {
        const { expression, stage, view } = entry.record.key;
        const own = { planId: entry.planId, expression, stage, view };
        return logParameters ? { ...own, parameters: shownData(data) } : own;
      }),
    });
  }
}

/** The most characters of the data of a request that are logged. */
const DATA_LENGTH_MAX = 4096;

/** Undefined for large data, which was transferred to a worker. */
function shownData(data: RequestData): string | undefined {
  if (data === undefined || data.length === 0) return undefined;
  const text =
    typeof data === 'string' ? data : Buffer.from(data.subarray(0, DATA_LENGTH_MAX)).toString();
  return text.length > DATA_LENGTH_MAX ? `${text.slice(0, DATA_LENGTH_MAX)} …` : text;
}

/** In milliseconds, with three decimals. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
