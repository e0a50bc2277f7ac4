/** The statements of one plan that are in flight, with their requests. */
import type { SharedWork } from './shared-work.js';
import type { Place } from './long-reads.js';
import type { Request } from './request.js';
import type { Trial } from './trial.js';

export interface InFlight {
  readonly requests: readonly Request[];
  /** When its statement began, by `performance.now()`. */
  startedAt: number;
  work: SharedWork | undefined;
  /** When it turned out long. */
  longSince: number | undefined;
  /** Set if it runs on connections of its own. */
  place: Place | undefined;
  /** Set if it may be stopped to run again, or has been. */
  trial: Trial | undefined;
}

export class PlanFlights {
  /** Only a few. A Set under churn would make V8 keep removed elements (see `NumberedTable`). */
  readonly #flights: InFlight[] = [];
  #unanswered = 0;

  /** Whether nothing is in flight. */
  get isEmpty(): boolean {
    return this.#flights.length === 0;
  }

  /** The number of requests in flight. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get all(): readonly InFlight[] {
    return [...this.#flights];
  }

  /** The one that was stopped and waits to run again. Only one is tried at a time. */
  get waiting(): InFlight | undefined {
    return this.#flights.find(({ trial }) => trial?.isWaiting === true);
  }

  /** How many requests each statement has that is not long. */
  get served(): readonly number[] {
    const short = this.#flights.filter(({ longSince }) => longSince === undefined);
    return short.map(({ requests }) => requests.length);
  }

  /** How many run whose statements have begun. */
  get started(): number {
    return this.#flights.filter(({ startedAt }) => startedAt < Number.POSITIVE_INFINITY).length;
  }

  add(requests: readonly Request[]): InFlight {
    const flight: InFlight = {
      requests,
      startedAt: performance.now(),
      work: undefined,
      longSince: undefined,
      place: undefined,
      trial: undefined,
    };
    for (const request of requests) request.startedAt = flight.startedAt;
    this.#flights.push(flight);
    this.#unanswered += requests.length;
    return flight;
  }

  remove(flight: InFlight): void {
    const at = this.#flights.indexOf(flight);
    const last = at === -1 ? undefined : this.#flights.pop();
    if (last && last !== flight) this.#flights[at] = last;
    if (last) this.#unanswered -= flight.requests.length;
  }
}
