/**
 * Delays answers while connections wait to be accepted. Node.js accepts one connection in each iteration of the event
 * loop (libuv, pull request 3696). If each iteration had many answers to send, and then the next requests of
 * those clients to read, new clients would wait for seconds.
 */

/** How many answers are sent in an iteration while connections are accepted. */
const ANSWERS_EACH = 2;

export class PacedAnswers {
  /** Whether a connection was accepted in this iteration. */
  #hasAccepted = false;
  /** Whether one was accepted in this iteration or the last one: then more may wait. */
  #isAccepting = false;
  /** How many answers were sent in this iteration while connections are accepted. */
  #sent = 0;
  #waiting: (() => void)[] = [];

  /** Must be called for each new connection. */
  accepted(): void {
    this.#hasAccepted = true;
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    this.#sent = 0;
    setImmediate(this.#nextIteration);
  }

  /** Sends an answer now or in a later iteration. */
  send(answer: () => void): void {
    if (this.#isAccepting && this.#sent >= ANSWERS_EACH) {
      this.#waiting.push(answer);
      return;
    }
    this.#sent += 1;
    answer();
  }

  readonly #nextIteration = (): void => {
    this.#isAccepting = this.#hasAccepted;
    this.#hasAccepted = false;
    this.#sent = 0;
    if (this.#isAccepting) setImmediate(this.#nextIteration);
    const count = this.#isAccepting ? ANSWERS_EACH : this.#waiting.length;
    for (const answer of this.#waiting.splice(0, count)) this.send(answer);
  };
}
