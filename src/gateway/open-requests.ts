/** Counts the requests of a service whose answers are not complete, also while their bodies arrive. */
import type { Exchange } from './http/exchange.js';

export class OpenRequests {
  #count = 0;
  /** One function for all requests, because this is a hot path. */
  readonly #ended = () => {
    this.#count -= 1;
  };

  get count(): number {
    return this.#count;
  }

  /** Counts the request until its answer is complete or its client has disconnected. */
  add(exchange: Exchange): void {
    this.#count += 1;
    exchange.onDone(this.#ended);
  }
}
