/** The lanes of a worker, one a plan, bounded like the plans themselves. */
import { performance } from 'node:perf_hooks';
import type { ParameterValues } from '../../engine/index.js';
import type { Answer } from '../execution/answer.js';
import type { Cancellation } from '../execution/cancellation.js';
import type { ReadyPlan } from '../plans.js';
import type { SourceRegistry } from '../sources/registry.js';
import { Lane, type LaneOptions } from './lane.js';
import { createLaneCounters, type LaneCounters } from './lane-counters.js';

export interface LanesOptions {
  readonly sources: SourceRegistry;
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  readonly runAlone: LaneOptions['runAlone'];
}

/** A request that may join a lane. */
export interface LaneRequest {
  readonly ready: ReadyPlan;
  readonly values: ParameterValues;
  readonly pretty: boolean;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

export class Lanes {
  readonly counters: LaneCounters = createLaneCounters();
  readonly #options: LanesOptions;
  /** A lane lives as long as its plan is kept. */
  readonly #lanes = new WeakMap<ReadyPlan, Lane>();

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Runs a request in the lane of its plan, which has one. */
  run(request: LaneRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const { values, pretty, answer, cancellation } = request;
      const joinedAt = performance.now();
      const member = { values, pretty, answer, cancellation, joinedAt, resolve, reject };
      this.#laneOf(request.ready).join(member);
    });
  }

  #laneOf(ready: ReadyPlan): Lane {
    const known = this.#lanes.get(ready);
    if (known) return known;
    const { sources, rowsMax, runAlone } = this.#options;
    const source = sources.get(ready.plan.root.source);
    const lane = new Lane({ ready, source, rowsMax, runAlone, counters: this.counters });
    this.#lanes.set(ready, lane);
    return lane;
  }
}
