/**
 * The cancellation of a request: a flag and its listeners. An AbortController would work, but costs
 * more than a microsecond for each request.
 */

/** Records whether a request was cancelled, and notifies what waits or runs for it. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /**
   * Calls `action` on cancellation, or at once if it has happened. The result removes the listener.
   */
  onCancel(action: () => void): () => void;
}

/** A cancellation that can be triggered. */
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
