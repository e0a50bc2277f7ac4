/** What all batched reads of a source share. */
import type { Source } from '../database/source.js';
import type { BatchingCounts, WorkerContext } from '../protocol.js';
import type { LongReads, ShortActivity } from './long-reads.js';
import type { ReadHost } from './read-host.js';
import type { SharedConnections } from './shared-connections.js';

/** Counts how requests ran. */
export type BatchCounters = { -readonly [Name in keyof BatchingCounts]: number };

export interface SourceReads {
  readonly source: Source;
  readonly connections: SharedConnections;
  readonly longReads: LongReads;
  readonly shortActivity: ShortActivity;
  readonly host: ReadHost;
  readonly counters: BatchCounters;
  readonly settings: WorkerContext;
  /** Must be called when waiting requests may be able to run. */
  readonly schedule: () => void;
}
