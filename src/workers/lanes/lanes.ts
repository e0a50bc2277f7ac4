/** The lanes of a worker, one a plan; a lane lives as long as its plan is kept. */
import { performance } from 'node:perf_hooks';
import type { ParameterValues } from '../../engine/index.js';
import type { ReadyPlan } from '../plans.js';
import type { SourceRegistry } from '../sources/registry.js';
import { Lane } from './lane.js';
import { createLaneCounters, type LaneCounters } from './lane-counters.js';
import { type LaneHost, Member } from './member.js';

export interface LanesOptions {
  readonly sources: SourceRegistry;
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  readonly host: LaneHost;
}

/** A request that may join a lane. */
export interface LaneRequest {
  readonly id: number;
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly pretty: boolean;
}

export class Lanes {
  readonly counters: LaneCounters = createLaneCounters();
  readonly #options: LanesOptions;
  readonly #lanes = new WeakMap<ReadyPlan, Lane>();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Puts a request into the lane of its plan, which has one. */
  join({ id, ready, values, pretty }: LaneRequest): Member {
    const member = new Member(id, values, pretty, performance.now());
    this.#laneOf(ready).join(member);
    return member;
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
