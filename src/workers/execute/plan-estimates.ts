/** What was measured of a plan's statements, and what follows: alone, side by side, or together. */
import { LatencyEstimate } from './latency-estimate.js';

/** A statement that takes longer than this, in milliseconds, does not share a connection. */
const SHORT_MS = 10;
/** A statement that takes less than this, in milliseconds, costs the worker about as much. */
const SHORTEST_MS = 0.25;
/** What a batch should take at most, in milliseconds: while the database works on one, others are put together and answered. */
const BATCH_MS = 1;
const BATCH_MS_INCLUDES = 10;
/** A batch of one would teach nothing of batches, and the plan would never leave it. */
const BATCH_MIN = 2;
const BATCH_MAX = 512;
/** The first batch of a plan, of which nothing is known, has so many requests at most. */
const TRIAL_MAX = 8;
/** What the worker takes for a statement, whatever it brings, in milliseconds. */
const STATEMENT_MS = 0.03;
/** A batch may be measured to cost so much more than its requests side by side: measurements are no better. */
const COST_MAX = 1.5;
/** The first few batches may cost so much more: they are small, and one measurement may be of something else. */
const TRIAL_COST_MAX = 4;
const TRIALS = 4;
/** How often each of the two is tried again, in milliseconds; a batch that lost waits twice as long each time. */
const AGAIN_MS = 1000;
const AGAIN_MS_MAX = 10_000;
/** Batches that are in flight at a time; behind one that serves many in no time the next requests wait. */
const IN_FLIGHT_MAX = 4;
const IN_FLIGHT_MAX_INCLUDES = 2;
/** Beside a batch with includes, the next one begins with so many requests of each of its own. */
const BESIDE_INCLUDES = 0.5;
const SERVED_MANY = 32;
const NO_TIME_MS = 0.4;
/** After so many reads of no more than one row, the next are taken to be the same. */
const SINGLE_ROWS_SEEN = 4;
/** How full a batch should be, so that it seldom overflows. */
const FILL_AIM = 0.5;
const WEIGHT = 0.25;
/** Short runs after which a plan that turned out long shares connections again; doubled each time. */
const SHORT_RUNS = 4;
const SHORT_RUNS_MAX = 64;
/** Runs after which a plan with a large answer is tried on a shared connection again. */
const LARGE_RUNS = 256;

/** Single statements that are one measurement together. */
const SINGLES_EACH = 8;

/** What a single read has shown. */
interface Seen {
  readonly isLarge: boolean;
  readonly hasLists: boolean;
}

interface RunAlone {
  readonly beside: number;
  readonly isSmall: boolean;
}

export class PlanEstimates {
  /** Whether whatever can run together does, whatever it costs. */
  readonly #isAlwaysTogether: boolean;
  readonly #single = new LatencyEstimate(SINGLES_EACH);
  /** A request's share of a batch. */
  readonly #batched = new LatencyEstimate();
  #runsUntilShared = 0;
  #shortRuns = SHORT_RUNS;
  #singleRowReads = 0;
  #hasLists = false;
  /** A request's part of what a batch may bring, smoothed. */
  #fill = 0;
  #isTrial = true;
  #batchFrom = 0;
  #againMs = AGAIN_MS;
  #singleAgainAt = 0;

  /** Statements of one request, at least. */
  readonly #statements: number;

  constructor({ isAlwaysTogether = false, statements = 1 } = {}) {
    this.#isAlwaysTogether = isAlwaysTogether;
    this.#statements = statements;
  }

  /** Whether anything is known of its statements. */
  get isKnown(): boolean {
    return this.#isAlwaysTogether || this.#single.isKnown || this.#runsUntilShared > 0;
  }

  /** Whether its statements are short enough to share connections. */
  get mayShare(): boolean {
    return this.#runsUntilShared === 0 && this.#single.leastMs < SHORT_MS;
  }

  /** Whether they take so little that the worker's own work counts more. */
  get isShort(): boolean {
    return this.mayShare && this.#single.leastMs < SHORTEST_MS;
  }

  /** What a request takes by itself, in milliseconds. */
  get singleMs(): number {
    return this.#single.leastMs;
  }

  /** What a request takes in a batch, in milliseconds. */
  get batchedMs(): number {
    return this.#batched.isKnown ? this.#batched.leastMs : this.#single.leastMs;
  }

  /** Whether each request has had one row at most. */
  get hasSingleRows(): boolean {
    return this.#singleRowReads >= SINGLE_ROWS_SEEN && !this.#hasLists;
  }

  /** Requests that the next batch may serve. */
  get batchMax(): number {
    const most = this.#isTrial && !this.#isAlwaysTogether ? TRIAL_MAX : BATCH_MAX;
    const batchMs = this.#statements > 1 ? BATCH_MS_INCLUDES : BATCH_MS;
    const inTime = Math.max(BATCH_MIN, batchMs / this.batchedMs);
    const inSize = this.#fill === 0 ? BATCH_MAX : FILL_AIM / this.#fill;
    return Math.max(1, Math.floor(Math.min(most, inTime, inSize)));
  }

  /** What a request costs by itself: the database, and the worker that sends and reads its statements. */
  get #singleCostMs(): number {
    return this.#single.leastMs + this.#statements * STATEMENT_MS;
  }

  /** Whether requests that wait together should run as one statement. */
  prefersBatch(now: number): boolean {
    if (this.#isAlwaysTogether) return now >= this.#batchFrom;
    if (now < this.#batchFrom) return false;
    if (!this.#batched.isKnown) return true;
    if (now >= this.#singleAgainAt) {
      this.#singleAgainAt = now + AGAIN_MS;
      return false;
    }
    const costMax = this.#batched.count < TRIALS ? TRIAL_COST_MAX : COST_MAX;
    if (this.#batched.leastMs <= costMax * this.#singleCostMs) return true;
    this.rest(now);
    return false;
  }

  /** Whether a further batch may start, beside those that serve so many requests each, while so many wait. */
  mayStart(inFlight: readonly number[], waiting: number): boolean {
    if (inFlight.length === 0) return true;
    const served = inFlight[0] ?? 0;
    if (this.#statements > 1) {
      return inFlight.length < IN_FLIGHT_MAX_INCLUDES && waiting >= BESIDE_INCLUDES * served;
    }
    if (inFlight.length >= IN_FLIGHT_MAX) return false;
    return served < SERVED_MANY || served * this.batchedMs > NO_TIME_MS;
  }

  /**
   * A request ran on a connection of its own, from its first statement to its end, while so many of
   * the plan ran: they take the processor from each other.
   */
  learnAlone(tookMs: number, { beside, isSmall }: RunAlone): void {
    const ms = tookMs / beside;
    this.#single.learn(ms);
    if (!isSmall) this.#runsUntilShared = LARGE_RUNS;
    else if (ms < SHORT_MS && this.#runsUntilShared > 0) this.#runsUntilShared -= 1;
  }

  learnSingle(serviceMs: number, { isLarge, hasLists }: Seen): void {
    this.#single.learn(serviceMs);
    if (hasLists) this.sawLists();
    else this.#singleRowReads += 1;
    if (isLarge) this.#runsUntilShared = LARGE_RUNS;
    this.#shortRuns = Math.max(SHORT_RUNS, this.#shortRuns - 1);
  }

  learnBatch(serviceMs: number, requests: number, hasLists = false): void {
    this.#batched.learn(serviceMs / requests);
    if (hasLists) this.sawLists();
    this.#isTrial = false;
    if (this.#batched.leastMs <= this.#singleCostMs) this.#againMs = AGAIN_MS;
  }

  /** A batch brought this part of the rows that it may. */
  learnFill(fill: number, requests: number): void {
    const part = fill / requests;
    this.#fill = part > this.#fill ? part : this.#fill + WEIGHT * (part - this.#fill);
  }

  sawLists(): void {
    this.#hasLists = true;
  }

  /** The rows of so many requests were too many to be collected. */
  tooLarge(requests: number): void {
    this.learnFill(1, requests);
    if (requests === 1) this.#runsUntilShared = LARGE_RUNS;
  }

  /** A statement takes too long for others to wait behind it. */
  tooLong(): void {
    this.#runsUntilShared = this.#shortRuns;
    this.#shortRuns = Math.min(SHORT_RUNS_MAX, this.#shortRuns * 2);
  }

  /** A batch did no good: the database may plan it badly. */
  rest(now: number): void {
    this.#batchFrom = now + this.#againMs;
    this.#againMs = Math.min(AGAIN_MS_MAX, this.#againMs * 2);
    this.#batched.reset();
    this.#isTrial = true;
  }
}
