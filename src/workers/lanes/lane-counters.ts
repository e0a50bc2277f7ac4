/** What lanes have done so far, for metrics. */
import type { LaneCounters } from '../protocol.js';

/** The counters of a worker, which its lanes count up. */
export type CountingLanes = { -readonly [Name in keyof LaneCounters]: LaneCounters[Name] };

export function createLaneCounters(): CountingLanes {
  return { batches: 0, batched: 0, alone: 0, broken: 0, waitedMs: 0 };
}
