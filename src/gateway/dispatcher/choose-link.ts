/** Chooses the worker for a request. */
import type { WorkerLink } from './worker-link.js';

/** The worker that ran a plan last. */
export interface Affinity {
  link: WorkerLink;
  /** Whether reads of the plan are short. */
  isShort: boolean;
}

/**
 * A plan stays on its worker, where its requests can be batched, until that worker has this many more
 * requests than the least busy one.
 */
const MARGIN = 8;
/** All short reads stay on the first worker until it has this many more requests. */
const SHORT_MARGIN = 512;

/** The worker for a request; undefined if no worker is running. */
export function chooseLink(
  links: readonly WorkerLink[],
  affinity: Affinity | undefined,
): WorkerLink | undefined {
  let least = links[0];
  for (const link of links) {
    if (least !== undefined && link.inFlight < least.inFlight) least = link;
  }
  if (affinity === undefined || least === undefined) return least;
  const [first = least] = links;
  if (affinity.isShort) return first.inFlight <= least.inFlight + SHORT_MARGIN ? first : least;
  const isNear = links.includes(affinity.link) && affinity.link.inFlight <= least.inFlight + MARGIN;
  return isNear ? affinity.link : least;
}
