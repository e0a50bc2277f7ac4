/** Which worker a request goes to. */
import type { WorkerLink } from './worker-link.js';

/** Where a plan ran last. */
export interface Home {
  link: WorkerLink;
  /** Whether its requests take so little that they are better off together than apart. */
  isBrief: boolean;
}

/** A plan stays with its worker, where requests of it run together, until that is so much busier. */
const MARGIN = 8;
const BRIEF_MARGIN = 512;

/** The worker with the fewest requests in flight, or the plan's own; undefined when there is none. */
export function chooseLink(
  links: readonly WorkerLink[],
  home: Home | undefined,
): WorkerLink | undefined {
  let least = links[0];
  for (const link of links) {
    if (least !== undefined && link.inFlight < least.inFlight) least = link;
  }
  if (home === undefined || least === undefined || !links.includes(home.link)) return least;
  const margin = home.isBrief ? BRIEF_MARGIN : MARGIN;
  return home.link.inFlight <= least.inFlight + margin ? home.link : least;
}
