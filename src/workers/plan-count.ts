/** Counts the cost of each plan's requests, for the gateway. A hot path (bench, "point"). */
import type { PlanTally } from './protocol.js';

type Counting = { -readonly [Name in keyof PlanTally]: PlanTally[Name] };

/** The counts of one plan since the last report. */
export class PlanCount {
  /** The plans with something to report; undefined for plans that the gateway does not know. */
  readonly #changed: PlanCount[] | undefined;
  #isChanged = false;
  #tally: Counting;

  constructor(planId = 0, changed?: PlanCount[]) {
    this.#tally = newTally(planId);
    this.#changed = changed;
  }

  /** Counts a statement, or a run of statements, that served this many requests. */
  ran(requests: number, databaseMs: number): void {
    this.#tally.requests += requests;
    this.#tally.statements += 1;
    this.#tally.databaseMs += databaseMs;
    if (this.#isChanged) return;
    this.#isChanged = true;
    this.#changed?.push(this);
  }

  /** Counts rows of requests that `ran` counts, before or after it. */
  addRows(rows: number): void {
    this.#tally.rows += rows;
  }

  /** Returns the counts, and resets them to 0. */
  take(): PlanTally {
    const tally = this.#tally;
    this.#tally = newTally(tally.planId);
    this.#isChanged = false;
    return tally;
  }
}

function newTally(planId: number): Counting {
  return { planId, requests: 0, statements: 0, rows: 0, databaseMs: 0 };
}
