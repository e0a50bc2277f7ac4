/** Measures a plan, and decides whether its requests run alone, side by side or in a batch. */
import { LatencyEstimate } from './latency-estimate.js';

/** A statement that takes longer, in milliseconds, does not share a connection. */
const SHORT_MS = 10;
/**
 * After this many runs, a plan whose every run was longer counts as long. The first run on a connection also
 * prepares the statement, and where many new plans compete for the processor, each of them seems long at first.
 */
const TRIES = 3;
/** A plan whose statements take less, in milliseconds, stays on few workers. */
const BRIEF_MS = 1;
/** With fewer measurements, any short plan does: in a program that has just started, everything takes longer. */
const BRIEF_MEASURED = 4;
/**
 * The longest that a batch should take, in milliseconds: meanwhile, others are built and answered.
 */
const BATCH_MS = 1;
const BATCH_MS_INCLUDES = 10;
/** A batch of one would measure nothing about batches, so the plan would stay with it forever. */
const BATCH_MIN = 2;
const BATCH_MAX = 512;
/**
 * The most requests of a plan's first batch, when nothing is known: enough that its cost does not consist
 * of preparing the statement.
 */
const TRIAL_MAX = 32;
/** The worker's time for each statement, in milliseconds. */
const STATEMENT_MS = 0.03;
/** A batch may seem to cost this much more than its requests: measurements are not more precise. */
const COST_MAX = 1.5;
/** The first batches may cost this much more: they are small, and one measurement may be disturbed. */
const TRIAL_COST_MAX = 4;
const TRIALS = 4;
/** The first batch on a connection also prepares its statement, so a single one tells little. */
const TRIALS_MIN = 2;
/** How often the other way is tried again. After a batch that was slower, the time doubles. */
const AGAIN_MS = 1000;
const AGAIN_MS_MAX = 10_000;
/**
 * The most batches in flight: the database works on one while the worker writes the answers of another. More
 * would only be smaller.
 */
const IN_FLIGHT_MAX = 2;
const IN_FLIGHT_MAX_INCLUDES = 4;
/** While a batch with includes runs, the next one starts when this share of its size is waiting. */
const BESIDE_INCLUDES = 0.34;
const SERVED_MANY = 32;
const NO_TIME_MS = 0.4;
/** After this many reads with at most one row, later ones are expected to be the same. */
const SINGLE_ROWS_SEEN = 4;
/**
 * A request with more rows is cheaper by itself: a batch saves the cost of a statement for each request, but its rows are
 * collected and told apart, whereas those of a single request are written as they arrive. With includes, the rows of a
 * single request are collected, too.
 */
const BATCHED_ROWS_MAX = 6;
/** How full a batch should be, so that it rarely overflows. */
const FILL_AIM = 0.5;
const WEIGHT = 0.25;
/** After this many short runs, a long plan shares connections again; the number doubles each time. */
const SHORT_RUNS = 4;
const SHORT_RUNS_MAX = 64;
/** A plan with more runs before it is not taken for short because it is short elsewhere. */
const FORGIVEN_RUNS = 16;
/**
 * A statement may take long because it has to wait for a processor. If it ends soon, and so many others were short, the
 * plan stays short. At most so many count.
 */
const ANSWERS_FOR_LATE = 64;
const ANSWERS_MAX = 16 * ANSWERS_FOR_LATE;
/** After this many runs, a plan with a large answer is tried on a shared connection again. */
const LARGE_RUNS = 256;

/** How many single statements form one measurement. */
const SINGLES_EACH = 8;
/** How many of them are measured again at a time. */
const SINGLES_AGAIN = 4 * SINGLES_EACH;

interface RunAlone {
  readonly beside: number;
  readonly isSmall: boolean;
}

export class PlanEstimates {
  /** Whether requests are always batched if possible, at any cost. */
  readonly #isAlwaysTogether: boolean;
  readonly #single = new LatencyEstimate(SINGLES_EACH);
  /** The runs of a plan of which nothing else is known. */
  #tries = 0;
  /** The time of a batch, divided by its requests. */
  readonly #batched = new LatencyEstimate();
  #runsUntilShared = 0;
  #shortRuns = SHORT_RUNS;
  /** Answered requests whose statements were short, less those that have excused one that was not. */
  #answers = 0;
  /** Whether a statement takes too long, but may still end soon. */
  #isLate = false;
  #singleRowReads = 0;
  #hasLists = false;
  /** The root rows of a request, smoothed. */
  #rows = 0;
  /** How much of a batch's limit a request uses, smoothed. */
  #fill = 0;
  #isTrial = true;
  #batchFrom = 0;
  #againMs = AGAIN_MS;
  #singleAgainAt = 0;

  /** The fewest statements of a request. */
  readonly #statements: number;

  constructor({ isAlwaysTogether = false, statements = 1 } = {}) {
    this.#isAlwaysTogether = isAlwaysTogether;
    this.#statements = statements;
  }

  /** Whether it is known whether its statements are short. */
  get isKnown(): boolean {
    if (this.#isAlwaysTogether || this.#runsUntilShared > 0 || this.#tries >= TRIES) return true;
    return this.#single.isKnown && this.mayShare;
  }

  /** Whether its statements are short enough to share connections. */
  get mayShare(): boolean {
    return this.#runsUntilShared === 0 && this.#single.leastMs < SHORT_MS;
  }

  /** Whether at most one statement of a short plan has taken too long, perhaps because it waited for a processor. */
  get isInDoubt(): boolean {
    const isShort = this.#single.isKnown && this.#single.leastMs < SHORT_MS;
    return isShort && this.#runsUntilShared <= SHORT_RUNS && this.#shortRuns <= 2 * SHORT_RUNS;
  }

  /**
   * Whether its requests, together or by themselves, take so little time that they are faster together on few
   * workers. Longer ones are spread, because short ones would wait for them.
   */
  get isShort(): boolean {
    const leastMs = Math.min(this.#single.leastMs, this.batchedMs);
    const mostMs = this.#single.count < BRIEF_MEASURED ? SHORT_MS : BRIEF_MS * this.#statements;
    return (this.mayShare || this.#isLate) && leastMs < mostMs;
  }

  /** The time of a request by itself, in milliseconds. */
  get singleMs(): number {
    return this.#single.leastMs;
  }

  /** The time of a request in a batch, in milliseconds. */
  get batchedMs(): number {
    return this.#batched.isKnown ? this.#batched.leastMs : this.#single.leastMs;
  }

  /** Whether each request so far had at most one row. */
  get hasSingleRows(): boolean {
    return this.#singleRowReads >= SINGLE_ROWS_SEEN && !this.#hasLists;
  }

  /** The most requests of the next batch. */
  get batchMax(): number {
    const most = this.#isTrial && !this.#isAlwaysTogether ? TRIAL_MAX : BATCH_MAX;
    const batchMs = this.#statements > 1 ? BATCH_MS_INCLUDES : BATCH_MS;
    const inTime = Math.max(BATCH_MIN, batchMs / this.batchedMs);
    const inSize = this.#fill === 0 ? BATCH_MAX : FILL_AIM / this.#fill;
    return Math.max(1, Math.floor(Math.min(most, inTime, inSize)));
  }

  /** The database, and the worker that sends and reads the statements. */
  get #singleCostMs(): number {
    return this.#single.leastMs + this.#statements * STATEMENT_MS;
  }

  /** Whether waiting requests should run as one statement. */
  prefersBatch(now: number): boolean {
    if (this.#isAlwaysTogether) return now >= this.#batchFrom;
    if (now < this.#batchFrom || (this.#statements === 1 && this.#rows > BATCHED_ROWS_MAX))
      return false;
    if (this.#batched.count < TRIALS_MIN) return true;
    const costMax = this.#batched.count < TRIALS ? TRIAL_COST_MAX : COST_MAX;
    if (this.#batched.leastMs <= costMax * this.#singleCostMs) return true;
    this.rest(now);
    return false;
  }

  /** How many waiting requests should run by themselves although batches are cheaper, to measure them again. */
  singlesToMeasure(now: number): number {
    if (this.#isAlwaysTogether || !this.#batched.isKnown || now < this.#singleAgainAt) return 0;
    this.#singleAgainAt = now + AGAIN_MS;
    return SINGLES_AGAIN;
  }

  /** Whether another batch may start. `inFlight` are the sizes of the others. */
  mayStart(inFlight: readonly number[], waiting: number): boolean {
    if (inFlight.length === 0) return true;
    const served = inFlight[0] ?? 0;
    if (this.#statements > 1) {
      return inFlight.length < IN_FLIGHT_MAX_INCLUDES && waiting >= BESIDE_INCLUDES * served;
    }
    if (inFlight.length >= IN_FLIGHT_MAX) return false;
    return served < SERVED_MANY || served * this.batchedMs > NO_TIME_MS;
  }

  /** `beside` is the number of the plan's requests that competed for the processor at the same time. */
  learnAlone(tookMs: number, { beside, isSmall }: RunAlone): void {
    const ms = tookMs / beside;
    this.#tries += 1;
    this.#single.measured(ms);
    if (!isSmall) this.sawLarge();
    else if (ms < SHORT_MS && this.#runsUntilShared > 0) this.#runsUntilShared -= 1;
  }

  learnSingle(serviceMs: number, hasLists: boolean): void {
    this.#single.learn(serviceMs);
    if (hasLists) this.sawLists();
    else this.#singleRowReads += 1;
    this.#sawAnswers(1);
    this.#shortRuns = Math.max(SHORT_RUNS, this.#shortRuns - 1);
  }

  learnBatch(serviceMs: number, requests: number, hasLists = false): void {
    this.#batched.learn(serviceMs / requests);
    if (hasLists) this.sawLists();
    this.#sawAnswers(requests);
    this.#isTrial = false;
    if (this.#batched.leastMs <= this.#singleCostMs) this.#againMs = AGAIN_MS;
  }

  /** Records how much of its limit a batch has used. */
  learnFill(fill: number, requests: number): void {
    const part = fill / requests;
    this.#fill = part > this.#fill ? part : this.#fill + WEIGHT * (part - this.#fill);
  }

  /** Records how many root rows these requests had. */
  learnRows(requests: readonly { readonly rows: number }[]): void {
    let rows = 0;
    for (const request of requests) rows += request.rows;
    this.#rows += WEIGHT * (rows / requests.length - this.#rows);
  }

  sawLists(): void {
    this.#hasLists = true;
  }

  /** Records that an answer is too large for a shared connection. */
  sawLarge(): void {
    this.#runsUntilShared = LARGE_RUNS;
    this.#isLate = false;
  }

  /** Records that these requests had too many rows to collect. */
  tooLarge(requests: number): void {
    this.learnFill(1, requests);
    if (requests === 1) this.sawLarge();
  }

  /**
   * Records that a statement takes too long for others to wait after it. `ended` must be called when it has ended, or is
   * certainly long.
   */
  tooLong(): void {
    if (this.#isLate) return;
    this.#isLate = this.#answers >= ANSWERS_FOR_LATE && this.mayShare;
    if (this.#isLate) this.#runsUntilShared = this.#shortRuns;
    else this.#stayAlone();
  }

  /** A statement that took too long has ended soon after that, or not (`isLong`). */
  ended(isLong: boolean): void {
    if (!this.#isLate) return;
    this.#isLate = false;
    this.#answers -= ANSWERS_FOR_LATE;
    this.#runsUntilShared = 0;
    if (isLong) this.#stayAlone();
  }

  /**
   * Records that another worker has measured short statements. Where many requests compete for the processors, the
   * first statements of a plan seem long, and long ones would wait until the others have none to answer.
   */
  learnShortElsewhere(): void {
    if (this.isKnown && this.mayShare) return;
    // It is large, or was long here several times: its statements differ.
    if (this.#runsUntilShared > FORGIVEN_RUNS) return;
    this.#runsUntilShared = 0;
    this.#isLate = false;
    this.#single.reset();
    this.#single.learn(BRIEF_MS / 4);
  }

  /** Stops batching for a while, because a batch was slow: the database may plan it badly. */
  rest(now: number): void {
    this.#batchFrom = now + this.#againMs;
    this.#againMs = Math.min(AGAIN_MS_MAX, this.#againMs * 2);
    this.#batched.reset();
    this.#isTrial = true;
  }

  /** For a while, its requests run on connections of their own. */
  #stayAlone(): void {
    // An answer that was too large counts for longer.
    this.#runsUntilShared = Math.max(this.#runsUntilShared, this.#shortRuns);
    this.#shortRuns = Math.min(SHORT_RUNS_MAX, this.#shortRuns * 2);
  }

  #sawAnswers(count: number): void {
    this.#answers = Math.min(ANSWERS_MAX, this.#answers + count);
  }
}
