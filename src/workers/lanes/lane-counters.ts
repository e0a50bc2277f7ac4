/** What lanes have done so far, for metrics. */
export interface LaneCounters {
  /** Statements that served several requests. */
  batches: number;
  /** Requests that such statements served. */
  batched: number;
  /** Requests that ran by themselves. */
  alone: number;
  /** Batches that failed, so that their members ran by themselves. */
  broken: number;
  /** Milliseconds that members of batches waited, in all. */
  waitedMs: number;
}

export function createLaneCounters(): LaneCounters {
  return { batches: 0, batched: 0, alone: 0, broken: 0, waitedMs: 0 };
}
