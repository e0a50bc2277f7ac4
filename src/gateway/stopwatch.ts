/** Records where the time of a request is spent, for `Server-Timing` (W3C) and its spans. */
import type { Timing } from '../workers/protocol.js';
import type { PlanEntry } from './plan-cache.js';

/** Instants by `performance.now()`; undefined if the request has not got so far. */
export class Stopwatch {
  readonly startedAt: number;
  /** Its body was read. */
  parsedAt: number | undefined;
  /** Its plan was found or compiled. */
  plannedAt: number | undefined;
  plan: PlanEntry | undefined;
  /** Its time in a worker. */
  timing: Timing | undefined;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  parsed(): void {
    this.parsedAt = performance.now();
  }

  planned(plan?: PlanEntry): void {
    this.plan = plan;
    this.plannedAt = performance.now();
  }

  /** The value of the header, with the parts that are known. */
  header(now: number): string {
    const { startedAt, parsedAt, plannedAt, timing } = this;
    const parts: readonly (readonly [name: string, ms: number | undefined])[] = [
      ['parse', parsedAt && parsedAt - startedAt],
      ['plan', parsedAt && plannedAt && plannedAt - parsedAt],
      ['queue', timing?.queueMs],
      ['db', timing?.databaseMs],
      ['total', now - startedAt],
    ];
    return parts
      .flatMap(([name, ms]) => (ms === undefined ? [] : [`${name};dur=${ms.toFixed(3)}`]))
      .join(', ');
  }
}
