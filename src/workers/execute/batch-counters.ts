/** What the batcher of a worker has done since the worker started. */
import type { BatchingCounts } from '../protocol.js';

/** The counts as they grow. */
export type BatchCounters = { -readonly [Name in keyof BatchingCounts]: number };

export function createBatchCounters(): BatchCounters {
  return { batches: 0, batched: 0, single: 0, failed: 0, waitedMs: 0 };
}
