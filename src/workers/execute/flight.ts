/** A statement in flight on a shared connection, and such a connection. */
import type { Connection } from '../database/connection.js';
import type { Run, Step } from '../database/statement.js';

/** One or more statements that can share a connection. */
export interface SharedWork {
  readonly steps: readonly Step[];
  /** See `isBoundToTypes` of `Run`. */
  readonly isBoundToTypes?: boolean;
  /** The expected time, in milliseconds. */
  readonly expectedMs: number;
  /** Whether it goes to the connection with the least work, even if the others have little. */
  readonly isSpread?: boolean;
  /** Whether it is the statement of a single request, which may share a transaction with others. */
  readonly isSingle?: boolean;
  /** Set by the shared connections while the work is in flight. */
  flight?: Flight | undefined;
  /** Set when it first found no room, by `performance.now()`. */
  displacedAt?: number;
  /** See `Run`. */
  restart?(): boolean;
  /** Called when the work gets its connection to itself, because it is long. */
  promoted?(): void;
  /** Called once at the end; must not throw. */
  end(error: unknown, serviceMs: number): void;
}

/** A shared connection, and the work in flight on it. */
export interface Shared {
  readonly connection: Connection;
  /** In the order of sending. */
  readonly flights: Flight[];
  /** The expected time of its work, in milliseconds. */
  workMs: number;
  /** When it began to be shared, by `performance.now()`. */
  readonly since: number;
  /** Its oldest work is long, and there is no other connection for new work. */
  isStuck: boolean;
}

interface FlightOptions {
  readonly ended: (flight: Flight) => void;
  /** Whether it was sent before. It now runs without a group, to find the slow statement. */
  readonly isByItself: boolean;
}

export class Flight implements Run {
  readonly work: SharedWork;
  readonly shared: Shared;
  readonly #options: FlightOptions;

  constructor(work: SharedWork, shared: Shared, options: FlightOptions) {
    this.work = work;
    this.shared = shared;
    this.#options = options;
  }

  get steps(): readonly Step[] {
    return this.work.steps;
  }

  /** Undefined if it must not join a group on the connection. */
  get expectedMs(): number | undefined {
    const { isSingle, expectedMs } = this.work;
    return isSingle === true && !this.#options.isByItself ? expectedMs : undefined;
  }

  get isBoundToTypes(): boolean {
    return this.work.isBoundToTypes === true;
  }

  restart(): boolean {
    return this.work.restart?.() === true;
  }

  end(error: unknown, serviceMs: number): void {
    this.#options.ended(this);
    this.work.end(error, serviceMs);
  }
}

export function newShared(connection: Connection): Shared {
  return { connection, flights: [], workMs: 0, since: performance.now(), isStuck: false };
}

export function addFlight(shared: Shared, flight: Flight): void {
  shared.flights.push(flight);
  shared.workMs += flight.work.expectedMs;
}

/** Removes a flight, if it is there. */
export function removeFlight(shared: Shared, flight: Flight): void {
  const at = shared.flights.indexOf(flight);
  if (at === -1) return;
  shared.flights.splice(at, 1);
  // Starts from zero again, without the rounding errors.
  shared.workMs = shared.flights.length === 0 ? 0 : shared.workMs - flight.work.expectedMs;
}
