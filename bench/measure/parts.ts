/**
 * Where the processor time of a request is spent: HTTP thread, workers, helper threads, database.
 */
import type { LoadResult } from '../load/load.js';
import { familyProcessorUs, threadProcessorUs } from './process-table.js';
import { standStill } from './stand-still.js';

/** Processor time in µs per request, by part. */
export interface Parts {
  /** The main thread of the server: HTTP. */
  readonly front: number;
  /** The busiest other threads, as many as there are workers. */
  readonly workers: number;
  /** All other threads of the server: V8's compiler and garbage collector, file access. */
  readonly helpers: number;
  readonly database: number;
  /** The load generator. */
  readonly load: number;
}

export interface Watched {
  /** Undefined if there is no server and the generator queries the database itself. */
  readonly serverPid: number | undefined;
  readonly workers: number;
  readonly postmaster: number | undefined;
}

/**
 * Starts to measure once the database is idle. The returned function ends that, and divides the
 * time by the number of requests of the load.
 */
export async function watchParts(watched: Watched): Promise<(load: LoadResult) => Parts> {
  await standStill(watched.postmaster);
  const before = look(watched);
  return ({ requests, processorUs }) => {
    const after = look(watched);
    const spent = [...after.threads].map(([tid, us]) => ({
      isFront: tid === watched.serverPid,
      us: us - (before.threads.get(tid) ?? 0),
    }));
    const others = spent.filter(({ isFront }) => !isFront).map(({ us }) => us);
    others.sort((a, b) => b - a);
    return {
      front: sum(spent.filter(({ isFront }) => isFront).map(({ us }) => us)) / requests,
      workers: sum(others.slice(0, watched.workers)) / requests,
      helpers: sum(others.slice(watched.workers)) / requests,
      database: (after.database - before.database) / requests,
      load: processorUs / requests,
    };
  };
}

function look({ serverPid, postmaster }: Watched) {
  return {
    threads: serverPid === undefined ? new Map<number, number>() : threadProcessorUs(serverPid),
    database: postmaster === undefined ? 0 : familyProcessorUs(postmaster),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
