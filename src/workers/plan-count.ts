/** Counts the cost of each plan's requests, for the gateway. A hot path (bench, "point"). */
import type { PlanTally } from './protocol.js';

/** The counts of one plan since the last report. */
export class PlanCount {
  readonly #planId: number;
  /** The plans with something to report; undefined for plans that the gateway does not know. */
  readonly #changed: PlanCount[] | undefined;
  #isChanged = false;
  #requests = 0;
  #statements = 0;
  #rows = 0;
  #databaseMs = 0;

  constructor(planId = 0, changed?: PlanCount[]) {
    this.#planId = planId;
    this.#changed = changed;
  }

  /** Counts a statement, or a run of statements, that served this many requests. */
  ran(requests: number, databaseMs: number): void {
    this.#requests += requests;
    this.#statements += 1;
    this.#databaseMs += databaseMs;
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#changed?.push(this);
  }

  /** Counts rows of requests that `ran` counts, before or after it. */
  addRows(rows: number): void {
    this.#rows += rows;
  }

  /** Returns the counts, and resets them to 0. */
  take(): PlanTally {
    const tally = {
      planId: this.#planId,
      requests: this.#requests,
      statements: this.#statements,
      rows: this.#rows,
      databaseMs: this.#databaseMs,
    };
    this.#requests = 0;
    this.#statements = 0;
    this.#rows = 0;
    this.#databaseMs = 0;
    this.#isChanged = false;
    return tally;
  }
}
