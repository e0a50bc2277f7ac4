/** A statement of a lane under way: the next requests wait for it, unless it takes too long. */
import { turnClock, type Watched } from './turn-clock.js';

export class Turn implements Watched {
  patientUntil = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isWaitedFor = true;
  #onLost: () => void = () => undefined;

  /** False from when it has taken too long. */
  get isWaitedFor(): boolean {
    return this.#isWaitedFor;
  }

  /** The statement begins; calls `onLost` when it runs longer than that. */
  begin(patienceMs: number, onLost: () => void): void {
    this.patientUntil = performance.now() + patienceMs;
    this.#onLost = onLost;
    turnClock.watch(this);
  }

  lose(): void {
    this.#isWaitedFor = false;
    this.#onLost();
  }

  /** Once it has taken too long: calls `action` when it runs on for so long. */
  after(timeMs: number, action: () => void): void {
    this.#timer = setTimeout(action, timeMs);
  }

  end(): void {
    turnClock.forget(this);
    if (this.#timer) clearTimeout(this.#timer);
  }
}
