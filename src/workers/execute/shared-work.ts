/** One or more statements that can share a connection, and such a connection. */
import type { Connection } from '../database/connection.js';
import type { Run, Step } from '../database/statement.js';

export interface WorkOptions {
  /** The expected time, in milliseconds. */
  readonly costMs: number;
  /** Called when the work gets its connection to itself, because it is long. */
  readonly promoted: () => void;
}

export abstract class SharedWork implements Run {
  abstract readonly steps: readonly Step[];
  readonly isBoundToTypes: boolean = false;
  /** Whether it goes to the connection with the least work, even if the others have little. */
  readonly isSpread: boolean = false;
  /** Whether it is the statement of a single request, which may share a transaction with others. */
  readonly isSingle: boolean = false;
  readonly costMs: number;
  /** Whether it had its connection to itself, because it is long. */
  isPromoted = false;
  readonly #promoted: () => void;
  /** The connection on which it is in flight. */
  shared: Shared | undefined;
  /** Whether it was sent before. It now runs without a group, to find the slow statement. */
  isByItself = false;
  /** When it first found no room, by `performance.now()`. */
  displacedAt: number | undefined;
  /** Called at the end, by whoever has sent it. */
  onLanded: ((work: SharedWork) => void) | undefined;

  constructor({ costMs, promoted }: WorkOptions) {
    this.costMs = costMs;
    this.#promoted = promoted;
  }

  /** Undefined if it must not join a group on the connection. */
  get expectedMs(): number | undefined {
    return this.isSingle && !this.isByItself ? this.costMs : undefined;
  }

  promoted(): void {
    this.isPromoted = true;
    this.#promoted();
  }

  restart(): boolean {
    return false;
  }

  end(error: unknown, serviceMs: number): void {
    this.onLanded?.(this);
    this.finish(error, serviceMs);
  }

  /** Called once at the end; must not throw. */
  protected abstract finish(error: unknown, serviceMs: number): void;
}

/** A shared connection, and the work in flight on it. */
export interface Shared {
  readonly connection: Connection;
  /** In the order of sending. */
  readonly works: SharedWork[];
  /** The expected time of its work, in milliseconds. */
  workMs: number;
  /** When it began to be shared, by `performance.now()`. */
  readonly since: number;
  /** Its oldest work is long, and there is no other connection for new work. */
  isStuck: boolean;
}

export function newShared(connection: Connection): Shared {
  return { connection, works: [], workMs: 0, since: performance.now(), isStuck: false };
}

export function addWork(shared: Shared, work: SharedWork): void {
  work.shared = shared;
  shared.works.push(work);
  shared.workMs += work.costMs;
}

/** Takes work off its connection, and returns that; undefined if it is not in flight. */
export function removeWork(work: SharedWork): Shared | undefined {
  const { shared } = work;
  if (!shared) return undefined;
  work.shared = undefined;
  shared.works.splice(shared.works.indexOf(work), 1);
  // Starts from zero again, without the rounding errors.
  shared.workMs = shared.works.length === 0 ? 0 : shared.workMs - work.costMs;
  return shared;
}
