/**
 * Delays answers while new clients come. Node.js accepts one connection in each iteration of the event loop
 * (libuv, pull request 3696). If each iteration had many answers to send, and then the next requests of those
 * clients to read, new clients would wait for seconds.
 */

/** How many answers are sent in an iteration while new clients come. */
const ANSWERS_EACH = 4;

export class PacedAnswers {
  /** Whether a new client has come in this iteration. */
  #hasNew = false;
  /** Whether one has come in this iteration or the last one: then more may wait. */
  #isPaced = false;
  /** How many answers were sent in this iteration. */
  #sent = 0;
  readonly #waiting: (() => boolean)[] = [];

  /** Must be called for the first request of each connection. */
  newClient(): void {
    this.#hasNew = true;
    if (this.#isPaced) return;
    this.#isPaced = true;
    this.#sent = 0;
    setImmediate(this.#nextIteration);
  }

  /** Sends an answer now or in a later iteration; `answer` returns false if its client has disconnected. */
  send(answer: () => boolean): void {
    if (this.#isFull) this.#waiting.push(answer);
    else if (answer()) this.#sent += 1;
  }

  get #isFull(): boolean {
    return this.#isPaced && this.#sent >= ANSWERS_EACH;
  }

  readonly #nextIteration = (): void => {
    this.#isPaced = this.#hasNew;
    this.#hasNew = false;
    this.#sent = 0;
    if (this.#isPaced) setImmediate(this.#nextIteration);
    let taken = 0;
    for (const answer of this.#waiting) {
      if (this.#isFull) break;
      taken += 1;
      if (answer()) this.#sent += 1;
    }
    this.#waiting.splice(0, taken);
  };
}
