/**
 * Keeps a connection of uWebSockets.js for a reader that is slow. The library hangs up after ten seconds
 * in which the system did not call the socket writable, and Linux does that only once a third of its
 * buffer is free: a reader of 50 KB/s may need half a minute for so much. To pause and resume the
 * response starts these seconds anew, and loses nothing.
 */
import { StallGuard } from './stall-guard.js';
import type { AnswerOwner, UwsResponse } from './uws-response.js';

/** Well below the library's limit, which it looks at every four seconds. */
const INTERVAL_MS_MAX = 4000;
/** How often it is tried within the time after which a reader is cut. */
const TRIALS = 4;

export class UwsPatience {
  readonly #response: UwsResponse;
  readonly #owner: AnswerOwner;
  readonly #trial: () => void;
  readonly #guard: StallGuard;
  #timer: NodeJS.Timeout | undefined;

  /** `trial` writes something: the socket may take it long before the system calls it writable. */
  constructor(response: UwsResponse, owner: AnswerOwner, trial: () => void) {
    this.#response = response;
    this.#owner = owner;
    this.#trial = trial;
    this.#guard = new StallGuard(owner.writeStallMs, () => owner.cut());
  }

  /** Keeps the connection from now on, whether or not something waits. */
  begin(): void {
    const intervalMs = Math.min(INTERVAL_MS_MAX, Math.ceil(this.#owner.writeStallMs / TRIALS));
    this.#timer ??= setInterval(() => this.#onInterval(), intervalMs).unref();
  }

  /** Begins the wait for a reader that has taken something, or of which that is not known yet. */
  wait(): void {
    this.begin();
    this.#guard.start();
  }

  /** The reader has taken all that there was. */
  waitNoMore(): void {
    this.#guard.stop();
  }

  end(): void {
    this.#guard.stop();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #onInterval(): void {
    if (!this.#owner.isOpen()) {
      this.end();
      return;
    }
    this.#response.pause();
    this.#response.resume();
    this.#trial();
  }
}
