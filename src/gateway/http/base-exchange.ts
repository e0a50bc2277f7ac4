/** What the exchanges of both servers share: the phase of the answer, and the listeners of its end. */
import { invariant } from '../../engine/index.js';
import type { Header, SharedByExchanges } from './exchange.js';

export abstract class BaseExchange<Shared extends SharedByExchanges = SharedByExchanges> {
  protected readonly shared: Shared;
  protected phase: 'open' | 'answering' | 'done' | 'aborted' = 'open';
  protected added: readonly Header[] | undefined;
  protected abortListener: (() => void) | undefined;
  #doneListener: (() => void) | undefined;

  constructor(shared: Shared) {
    shared.inFlight++;
    this.shared = shared;
  }

  get aborted(): boolean {
    return this.phase === 'aborted';
  }

  get answered(): boolean {
    return this.phase !== 'open';
  }

  get isDone(): boolean {
    return this.phase === 'done';
  }

  get isAnswering(): boolean {
    return this.phase === 'answering';
  }

  get writeStallMs(): number {
    return this.shared.writeStallMs;
  }

  addHeaders(headers: readonly Header[]): void {
    this.added = this.added ? [...this.added, ...headers] : headers;
  }

  onDone(listener: () => void): void {
    const earlier = this.#doneListener;
    if (this.phase === 'done' || this.phase === 'aborted') listener();
    else if (earlier === undefined) this.#doneListener = listener;
    else {
      this.#doneListener = () => {
        earlier();
        listener();
      };
    }
  }

  onAbort(listener: () => void): void {
    if (this.phase === 'aborted') listener();
    else this.abortListener = listener;
  }

  /** Whether to answer: not after an abort. */
  protected mayAnswer(): boolean {
    if (this.phase === 'aborted') return false;
    invariant(this.phase === 'open', 'an exchange is answered once');
    return true;
  }

  protected end(phase: 'done' | 'aborted'): void {
    this.phase = phase;
    this.shared.inFlight--;
    if (phase === 'aborted') this.abortListener?.();
    this.#doneListener?.();
  }
}
