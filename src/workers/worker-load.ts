/** How much of a worker is used. */
import { IdleProcessors } from './idle-processors.js';
import { ThreadLoad } from './thread-load.js';

/** More connections are of use only while this share of the processors is idle. */
const IDLE_MIN = 0.2;
/**
 * The weight of the latest share of idle processors: where another worker has just begun to help, it must not leave at
 * once because fewer are idle.
 */
const WEIGHT = 0.25;

/** The loads since the last look. */
export interface Loads {
  /** The share of a processor that the thread used, from 0 to 1. */
  readonly thread: number;
  /** The load of the shared connections; see `load` of `SharedConnections`. */
  readonly connections: number;
  /** The share of the processors that was idle, from 0 to 1. */
  readonly idle: number;
}

/** 1 if the worker is fully used. Above 1, others should help. */
export function loadOf({ thread, connections, idle }: Loads): number {
  return idle < IDLE_MIN ? thread : Math.max(thread, connections);
}

export class WorkerLoad {
  readonly #thread = new ThreadLoad();
  readonly #processors = new IdleProcessors();
  /** Smoothed. */
  #idle = 1;

  /** The load since the last call. */
  take(connections: number): number {
    this.#idle += WEIGHT * (this.#processors.take() - this.#idle);
    return loadOf({ thread: this.#thread.take(), connections, idle: this.#idle });
  }
}
