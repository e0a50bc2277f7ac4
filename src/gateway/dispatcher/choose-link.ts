/** Which worker a request goes to. */
import type { WorkerLink } from './worker-link.js';

/** Where a plan ran last. */
export interface Affinity {
  link: WorkerLink;
  /** Whether its reads are short. */
  isShort: boolean;
}

/** A plan stays with its worker, where its requests run together, until that is so much busier. */
const MARGIN = 8;
/** Short reads of all plans stay together on the first worker, until that is so much busier. */
const SHORT_MARGIN = 512;

/** The worker for a request; undefined when there is none. */
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
