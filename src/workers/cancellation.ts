/**
 * The cancelling of one request: a flag and who wants to know. (An AbortController does the same
 * for more than a microsecond a request.)
 */

/** Whoever waits or runs asks whether its request was cancelled, or is notified. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /** Calls `action` on cancel (at once when it has happened); the answer takes it off again. */
  onCancel(action: () => void): () => void;
}

/** A cancellation with the lever that sets it off. */
export interface CancellationLever extends Cancellation {
  cancel(): void;
}

export function createCancellation(): CancellationLever {
  return new Lever();
}

class Lever implements CancellationLever {
  #isCancelled = false;
  readonly #actions = new Set<() => void>();

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  onCancel(action: () => void): () => void {
    if (this.#isCancelled) action();
    else this.#actions.add(action);
    return () => {
      this.#actions.delete(action);
    };
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    for (const action of this.#actions) action();
    this.#actions.clear();
  }
}
