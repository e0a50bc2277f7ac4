/** How much of a worker is used. */
import { readFileSync } from 'node:fs';

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
  #before = readUse();
  /** Smoothed. */
  #idle = 1;

  /** The load since the last call. */
  take(connections: number): number {
    const now = readUse();
    const { thread, idle } = sharesOf(this.#before, now);
    this.#before = now;
    this.#idle += WEIGHT * (idle - this.#idle);
    return loadOf({ thread, connections, idle: this.#idle });
  }
}

/** How much the thread and the processors have been used until a moment. */
export interface Use {
  readonly at: number;
  readonly threadMs: number;
  /** Undefined where the system does not tell. */
  readonly ticks: Ticks | undefined;
}

export function readUse(): Use {
  return { at: performance.now(), threadMs: readThreadMs(), ticks: readTicks() };
}

/** The shares between two moments. Where the system does not tell, all processors count as idle. */
export function sharesOf(before: Use, now: Use): Pick<Loads, 'thread' | 'idle'> {
  const share = (now.threadMs - before.threadMs) / (now.at - before.at);
  const thread = Math.max(0, Math.min(1, share));
  const [from, to] = [before.ticks, now.ticks];
  if (!from || !to || to.all <= from.all) return { thread, idle: 1 };
  return { thread, idle: (to.idle - from.idle) / (to.all - from.all) };
}

/**
 * The processor time of this thread, in milliseconds. Where the system does not tell it, the time in which the
 * event loop was not idle, which includes waiting for a processor.
 */
function readThreadMs(): number {
  try {
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e6;
  } catch {
    return performance.eventLoopUtilization().active;
  }
}

/** The columns of the time in which a processor has nothing to do (proc(5), /proc/stat). */
const IDLE = 3;
const WAITS_FOR_DISK = 4;

interface Ticks {
  readonly idle: number;
  readonly all: number;
}

function readTicks(): Ticks | undefined {
  try {
    // The line begins with "cpu". Later columns are parts of the earlier ones.
    const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number);
    const idle = (ticks[IDLE] ?? 0) + (ticks[WAITS_FOR_DISK] ?? 0);
    return { idle, all: ticks.reduce((sum, each) => sum + each, 0) };
  } catch {
    return undefined;
  }
}
