/** Counts how requests ran; see {@link BatchingCounts}. */
import type { BatchingCounts } from '../protocol.js';

export type BatchCounters = { -readonly [Name in keyof BatchingCounts]: number };

export function createBatchCounters(): BatchCounters {
  return { batches: 0, batched: 0, single: 0, failed: 0, waitedMs: 0 };
}
