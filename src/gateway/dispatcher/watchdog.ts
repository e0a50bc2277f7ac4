/**
 * Checks the workers at intervals: counts requests that are unanswered past their limits, and ends a
 * worker that no longer takes messages. It costs nothing for each request.
 */
import type { Observe } from '../observe.js';
import type { Pending } from './pending.js';
import type { WorkerLink } from './worker-link.js';

const LOOK_MS = 500;
/** How long a worker may take to start on a busy machine. */
export const START_MS = 60_000;

export interface WatchdogOptions {
  /** How long a request with time limits may take; 0 for any time. */
  readonly requestMsMax: number;
  /** How long a worker may go without taking a message. */
  readonly workerStallMs: number;
  readonly observe: Observe;
}

/** The current state of the workers and their requests. */
export interface Watched {
  readonly links: readonly WorkerLink[];
  /** Ids are given in ascending order. */
  lastId(): number;
  pending(): readonly (readonly [id: number, request: Pending])[];
  /** Called with the number of further requests that are unanswered past their limits. */
  overdue(requests: number): void;
}

export function watchWorkers(
  { requestMsMax, workerStallMs, observe }: WatchdogOptions,
  { links, lastId, pending, overdue }: Watched,
) {
  /** The last id at each check, the newest last; as many as there are checks in the time limit. */
  const marks: number[] = [];
  /** Requests up to this id have been counted. */
  let countedId = 0;
  const countOverdue = (): void => {
    marks.push(lastId());
    if (marks.length <= requestMsMax / LOOK_MS) return;
    const before = marks.shift() ?? 0;
    if (before === countedId) return;
    const isOverdue = ([id, { hasLimit }]: readonly [number, Pending]): boolean =>
      hasLimit && id <= before && id > countedId;
    const requests = pending().filter(isOverdue).length;
    countedId = before;
    if (requests === 0) return;
    overdue(requests);
    observe({ kind: 'overdue', requests });
  };
  const lookAfter = (link: WorkerLink): void => {
    const stallMs = link.hasStarted ? workerStallMs : Math.max(START_MS, workerStallMs);
    if (link.inFlight === 0 && link.hasStarted) link.silentLooks = 0;
    else if (link.silentLooks * LOOK_MS >= stallMs) {
      link.end(new Error(`The worker took no message for ${stallMs} ms.`));
    } else if (link.silentLooks++ === 0) link.post({ type: 'hello' });
  };
  const timer = setInterval(() => {
    if (requestMsMax > 0) countOverdue();
    for (const link of links) lookAfter(link);
  }, LOOK_MS).unref();
  return { stop: (): void => clearInterval(timer) };
}
