/** How long the statements of a plan take, and so how many of its requests one statement may serve. */

/** What a statement of a lane should take at most, in milliseconds. */
const BATCH_MS = 20;
/** Requests that one statement serves at most. */
const MEMBERS_MAX = 512;
/** A request that takes less than this, in milliseconds, is brief. */
const BRIEF_MS = 0.1;
/** The weight of the newest measurement. */
const WEIGHT = 0.25;
/**
 * Of so many measurements the least counts: what else runs on the machine only ever adds to one, and
 * a statement that is long is long every time.
 */
const MEASUREMENTS = 8;
/** How full a statement should be, so that it seldom overflows. */
const FILL_AIM = 0.5;
const FILL_FADES = 0.999;

export class Pace {
  /** Milliseconds a request, the newest measurements. */
  readonly #costs: number[] = [];
  #next = 0;
  #leastMs = 0;
  /** The part of what a statement may bring that is a request's, smoothed. */
  #fill = 0;

  /** How many requests the next statement may serve; 1: the plan's requests run side by side. */
  get membersMax(): number {
    if (this.#leastMs === 0) return MEMBERS_MAX;
    const inTime = BATCH_MS / this.#leastMs;
    const inSize = this.#fill === 0 ? MEMBERS_MAX : FILL_AIM / this.#fill;
    return Math.max(1, Math.floor(Math.min(MEMBERS_MAX, inTime, inSize)));
  }

  /** Whether a request takes so little that it is better off with many others than beside them. */
  get isBrief(): boolean {
    return this.#leastMs > 0 && this.#leastMs < BRIEF_MS;
  }

  /** Whether a statement was measured. */
  get isKnown(): boolean {
    return this.#leastMs > 0;
  }

  /** A statement that runs longer than this is not waited for. */
  get patienceMs(): number {
    return 2 * BATCH_MS;
  }

  /** A statement for so many requests took so long, while `beside` of the plan's ran in all. */
  learn(tookMs: number, members: number, beside: number): void {
    this.#measured(Math.max(0.001, tookMs / members / Math.max(1, beside)));
    // Requests that run alone tell nothing of their size; in time, a batch is tried again.
    if (members === 1) this.#fill *= FILL_FADES;
  }

  /** A statement for so many requests brought this part of the rows that it may; 1: too many. */
  learnFill(fill: number, members: number): void {
    const part = fill / members;
    this.#fill = part > this.#fill ? part : this.#fill + WEIGHT * (part - this.#fill);
  }

  /** A statement takes too long, or has too large an answer, for others to wait behind it. */
  tooLong(): void {
    this.#measured(BATCH_MS);
  }

  #measured(costMs: number): void {
    this.#costs[this.#next] = costMs;
    this.#next = (this.#next + 1) % MEASUREMENTS;
    this.#leastMs = Math.min(...this.#costs);
  }
}
