/**
 * Refuses requests of a plan that would wait too long: as many as have been measured to be answered in
 * the allowed time may be unanswered.
 */
import { LatencyEstimate } from './latency-estimate.js';

/** So many may always be unanswered, however long they take. */
const UNANSWERED_MIN = 64;
/** A wait of so many times what a request takes to run is allowed, if that is longer. */
const RUNS = 3;
/** How long the rate of answers is measured, in milliseconds. */
const WINDOW_MS = 500;
/**
 * A longer time without an answer, in milliseconds, counts as this long: a lock that delays a plan
 * for a moment does not make it slow.
 */
const PAUSE_MS = 250;
/** What a request takes is measured as the mean of so many runs. */
const RUNS_EACH = 16;

export class Admission {
  readonly #waitMs: number;
  readonly #run = new LatencyEstimate(RUNS_EACH);
  /** The answers of the current window, and the time in which requests were unanswered. */
  #answered = 0;
  #ms = 0;
  /** Those of the window before. */
  #answeredBefore = 0;
  #msBefore = 0;
  #last = 0;

  /** `waitMs`: the wait that is always allowed, in milliseconds; 0: any wait. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Whether one more request may wait, if there are so many unanswered ones. */
  admits(unanswered: number): boolean {
    if (unanswered < UNANSWERED_MIN || this.#waitMs === 0) return true;
    // A plan that has just become busy is slower than it will be.
    if (this.#msBefore === 0) return true;
    const answered = this.#answered + this.#answeredBefore;
    const expectedMs = (unanswered * (this.#ms + this.#msBefore)) / answered;
    return expectedMs <= Math.max(this.#waitMs, RUNS * this.#run.leastMs);
  }

  /** Call this when a request arrives and none is unanswered; times are by `performance.now()`. */
  begin(now: number): void {
    this.#last = now;
  }

  /** Call this when so many requests were answered, which ran together for so long, in milliseconds. */
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
