/**
 * The first run of a plan, of which it is not known whether it is long. If it is, and others wait for its place, it is
 * stopped, and runs again when long reads have room.
 */
import { type Cancellation, createCancellation } from '../cancellation.js';
import { SourceError } from '../database/source-error.js';

/** What a trial needs to know of its request. */
interface Tried {
  readonly cancellation: Cancellation;
  /** After a part of the answer has left, it cannot run again. */
  readonly answer: { readonly hasLeft: boolean; restart(): void };
  /** When its statement began. */
  startedAt: number | undefined;
}

/** How a stopped trial goes on. */
interface Turn {
  begin(): void;
  fail(error: SourceError): void;
}

export class Trial {
  readonly #stopping = createCancellation();
  readonly #onStopped: () => void;
  #isStopped = false;
  #turn: Turn | undefined;

  /** `onStopped`: called when it has been stopped, and waits for {@link begin}. */
  constructor(onStopped: () => void) {
    this.#onStopped = onStopped;
  }

  /** Whether it runs again if it has not just ended. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Whether it was stopped, and waits to run again. */
  get isWaiting(): boolean {
    return this.#turn !== undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopping.cancel();
  }

  /** Runs again, after it was stopped. */
  begin(): void {
    this.#turn?.begin();
  }

  /** Fails instead of running again. */
  fail(error: SourceError): void {
    this.#turn?.fail(error);
  }

  /** Executes a request, and once more if it is stopped. */
  async run(execute: (cancellation: Cancellation) => Promise<void>, request: Tried): Promise<void> {
    const { cancellation, answer } = request;
    const forget = cancellation.onCancel(() => this.#stopping.cancel());
    try {
      return await execute(this.#stopping);
    } catch (error) {
      if (!this.#isStopped || cancellation.isCancelled || answer.hasLeft) throw error;
    } finally {
      forget();
    }
    answer.restart();
    request.startedAt = undefined;
    await this.#itsTurn(cancellation);
    await execute(cancellation);
  }

  /** Rejects if the client disconnects. */
  async #itsTurn(cancellation: Cancellation): Promise<void> {
    let forget = (): void => undefined;
    const turn = new Promise<void>((resolve, reject) => {
      this.#turn = { begin: resolve, fail: reject };
      forget = cancellation.onCancel(() => reject(new SourceError('cancelled')));
    });
    this.#onStopped();
    await turn.finally(() => {
      forget();
      this.#turn = undefined;
    });
  }
}
