/**
 * Refuses requests of a plan that would wait too long. The limit of unanswered requests is the number
 * that can be answered in the allowed time, as measured.
 */
import { LatencyEstimate } from './latency-estimate.js';

/** This many requests may always be unanswered, however long they take; fewer if only a short wait is allowed. */
const UNANSWERED_MIN = 64;
/** One for so many milliseconds of the wait. */
const UNANSWERED_EACH_MS = 4;
/** A longer wait is allowed for slow requests: this many times their duration. */
const RUNS = 3;
/** How long the rate of answers is measured, in milliseconds. */
const WINDOW_MS = 500;
/**
 * The longest time without an answer that counts, in milliseconds, so that a plan that is locked for a
 * moment does not count as slow.
 */
const PAUSE_MS = 100;
/** The number of runs in the mean duration of a request. */
const RUNS_EACH = 16;

export class Admission {
  readonly #waitMs: number;
  readonly #unansweredMin: number;
  readonly #run = new LatencyEstimate(RUNS_EACH);
  /** The number of answers in the current window, and the time in which requests were unanswered. */
  #answered = 0;
  #ms = 0;
  /** The same for the previous window. */
  #answeredBefore = 0;
  #msBefore = 0;
  #last = 0;

  /** `waitMs`: the wait that is always allowed, in milliseconds; 0: any wait. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
    this.#unansweredMin = Math.min(UNANSWERED_MIN, Math.ceil(waitMs / UNANSWERED_EACH_MS));
  }

  /** Whether another request may wait, given the number of unanswered ones. */
  admits(unanswered: number): boolean {
    if (unanswered < this.#unansweredMin || this.#waitMs === 0) return true;
    // A plan that has just become busy is slower than it will be.
    if (this.#msBefore === 0) return true;
    const answered = this.#answered + this.#answeredBefore;
    const expectedMs = (unanswered * (this.#ms + this.#msBefore)) / answered;
    return expectedMs <= Math.max(this.#waitMs, RUNS * this.#run.leastMs);
  }

  /** To be called when a request arrives while none is unanswered, with `performance.now()`. */
  begin(now: number): void {
    this.#last = now;
  }

  /**
   * Must be called when `count` requests were answered that ran together for `ranMs` milliseconds.
   */
  answered(count: number, ranMs: number, now: number): void {
    this.#run.learn(ranMs / count);
    this.#ms += Math.min(now - this.#last, Math.max(PAUSE_MS, this.#run.leastMs));
    this.#last = now;
    this.#answered += count;
    if (this.#ms < WINDOW_MS) return;
    [this.#answeredBefore, this.#msBefore] = [this.#answered, this.#ms];
    [this.#answered, this.#ms] = [0, 0];
  }
}
