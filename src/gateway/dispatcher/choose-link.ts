/** Chooses the worker for a request. */
import type { WorkerLink } from './worker-link.js';

/** The worker that ran a plan last, if there is one. */
export interface Affinity {
  link: WorkerLink | undefined;
  /**
   * Whether requests of the plan are short, and so are faster together on few workers. Undefined until that is measured;
   * then the plan is treated as short: most are, and each worker that runs them for the first time spends processor time
   * on optimizing its code.
   */
  isShort: boolean | undefined;
}

/** A plan that has not run. Writes are not measured, and count as short. */
export const NEW_PLAN: Readonly<Affinity> = { link: undefined, isShort: undefined };
export const NEW_WRITE: Readonly<Affinity> = { link: undefined, isShort: true };

/**
 * A plan stays on its worker, where its requests can be batched, until that worker has this many more
 * requests than the least busy one.
 */
const MARGIN = 8;
/** A worker with this many more requests than another one is probably stuck. */
const STUCK_MARGIN = 512;
/** Further new plans avoid a worker with so many of which no request was answered, or one for so many milliseconds. */
const NEW_PLANS_MAX = 4;
const NEW_MS_MAX = 20;
/** Above this load, short requests use one more worker. */
const LOAD_MAX = 0.85;
/** Below this load for each of the remaining workers, they use one less. */
const LOAD_MIN = 0.75;

/**
 * How many workers, from the first, run short requests: the fewer they are, the larger the batches, and the
 * fewer threads compete for the processors. `current` is the last such number.
 */
export function countShared(links: readonly WorkerLink[], current: number): number {
  const count = Math.max(1, Math.min(links.length, current));
  let load = 0;
  for (const link of links.slice(0, count)) load += link.load;
  if (load > count * LOAD_MAX && count < links.length) return count + 1;
  return load < (count - 1) * LOAD_MIN ? count - 1 : count;
}

/**
 * Undefined if no worker is running. Short requests run on the first `shared` workers; those that execute no plan, on the
 * least busy worker: with `started`, on one that has started, if there is one. New plans avoid workers where they may wait for a
 * long one.
 */
export function chooseLink(
  links: readonly WorkerLink[],
  affinity: Readonly<Affinity> | 'started' | undefined,
  shared: number,
): WorkerLink | undefined {
  const least = leastBusy(links);
  if (affinity === 'started') return leastBusy(links.filter(hasStarted)) ?? least;
  if (affinity === undefined || least === undefined) return least;
  const { link, isShort } = affinity;
  if (isShort === false) return isNear(links, link, least) ? link : least;
  const chosen = leastBusy(links, shared) ?? least;
  if (chosen.inFlight > least.inFlight + STUCK_MARGIN) return least;
  if (isShort === undefined) {
    if (link !== undefined && links.includes(link)) return link;
    if (mayKeepWaiting(chosen))
      return leastBusy(links.filter((each) => !mayKeepWaiting(each))) ?? least;
  }
  return shared > 1 && isNear(links, link, chosen) && links.indexOf(link) < shared ? link : chosen;
}

function leastBusy(links: readonly WorkerLink[], count = links.length): WorkerLink | undefined {
  let [least] = links;
  for (let index = 1; index < count; index += 1) {
    const link = links[index];
    if (link !== undefined && least !== undefined && link.inFlight < least.inFlight) least = link;
  }
  return least;
}

const hasStarted = (link: WorkerLink): boolean => link.hasStarted;

/** Whether new plans may wait for a long one there. A worker tries few at a time. */
function mayKeepWaiting({ newPlans }: WorkerLink): boolean {
  if (newPlans.size >= NEW_PLANS_MAX) return true;
  const [oldest = Number.POSITIVE_INFINITY] = newPlans.values();
  return performance.now() - oldest > NEW_MS_MAX;
}

/** Whether the worker runs, and has not many more requests than the least busy one. */
function isNear(
  links: readonly WorkerLink[],
  link: WorkerLink | undefined,
  least: WorkerLink,
): link is WorkerLink {
  return link !== undefined && link.inFlight <= least.inFlight + MARGIN && links.includes(link);
}
