/** Which worker a request goes to. */
import type { WorkerLink } from './worker-link.js';

/** A plan stays with its worker, where requests of it run together, until that is so much busier. */
const HOME_MARGIN = 8;

/** The worker with the fewest requests in flight, or the plan's own; undefined when there is none. */
export function chooseLink(
  links: readonly WorkerLink[],
  home: WorkerLink | undefined,
): WorkerLink | undefined {
  let least = links[0];
  for (const link of links) {
    if (least !== undefined && link.inFlight < least.inFlight) least = link;
  }
  if (home === undefined || least === undefined || !links.includes(home)) return least;
  return home.inFlight <= least.inFlight + HOME_MARGIN ? home : least;
}
