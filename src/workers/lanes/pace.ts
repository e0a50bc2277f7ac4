/** How long the statements of a plan take, and so how many of its requests one statement may serve. */

/** What a statement of a lane should take at most, in milliseconds. */
const BATCH_MS = 20;
/** Requests that one statement serves at most. */
const MEMBERS_MAX = 512;
/** The weight of the newest measurement. */
const WEIGHT = 0.25;

export class Pace {
  /** Milliseconds a request, smoothed. */
  #costMs = 0;

  /** How many requests the next statement may serve; 1: the plan's requests run side by side. */
  get membersMax(): number {
    if (this.#costMs === 0) return MEMBERS_MAX;
    return Math.max(1, Math.min(MEMBERS_MAX, Math.floor(BATCH_MS / this.#costMs)));
  }

  /** A statement that runs longer than this is not waited for. */
  get patienceMs(): number {
    return 2 * BATCH_MS;
  }

  /** A statement for so many requests took so long. */
  learn(tookMs: number, members: number): void {
    const costMs = Math.max(0.001, tookMs / members);
    this.#costMs = this.#costMs === 0 ? costMs : this.#costMs + WEIGHT * (costMs - this.#costMs);
  }

  /** A statement takes too long, or has too large an answer, for others to wait behind it. */
  tooLong(): void {
    this.#costMs = Math.max(this.#costMs, BATCH_MS);
  }
}
