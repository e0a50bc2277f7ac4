/** The lanes of a worker, one a plan; a lane lives as long as its plan is kept. */
import type { ReadyPlan } from '../plans.js';
import type { SourceRegistry } from '../database/registry.js';
import { Lane } from './lane.js';
import { createLaneCounters, type CountingLanes } from './lane-counters.js';
import type { LaneHost, Member } from './member.js';

export interface LanesOptions {
  readonly sources: SourceRegistry;
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  readonly host: LaneHost;
}

export class Lanes {
  readonly counters: CountingLanes = createLaneCounters();
  readonly #options: LanesOptions;
  readonly #lanes = new WeakMap<ReadyPlan, Lane>();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Puts a request into the lane of its plan, which has one; it may run by itself at once. */
  join(ready: ReadyPlan, member: Member): void {
    this.#laneOf(ready).join(member);
  }

  #laneOf(ready: ReadyPlan): Lane {
    const known = this.#lanes.get(ready);
    if (known) return known;
    const { sources, rowsMax, host } = this.#options;
    const source = sources.get(ready.plan.root.source);
    const lane = new Lane({ ready, source, rowsMax, host, counters: this.counters });
    this.#lanes.set(ready, lane);
    return lane;
  }
}
