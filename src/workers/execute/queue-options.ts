/** What the queues of a source's plans have in common. */
import type { Source } from '../database/source.js';
import type { ReadyPlan } from '../plans.js';
import type { Batching } from '../protocol.js';
import type { BatchCounters } from './batch-counters.js';
import type { ReadHost } from './read-host.js';
import type { Request } from './request.js';
import type { SharedConnections } from './shared-connections.js';

export interface QueueOptions {
  readonly source: Source;
  readonly connections: SharedConnections;
  readonly host: AloneHost;
  readonly counters: BatchCounters;
  /** Rows of one answer; 0: no limit. */
  readonly rowsMax: number;
  /** How long a request may wait for a connection, in milliseconds. */
  readonly waitMs: number;
  readonly batching: Batching;
  /** There is room for requests that wait. */
  readonly onRoom: () => void;
}

export interface AloneHost extends ReadHost {
  /**
   * Runs a request on connections of its own and answers it; `onStart` is told when its first
   * statement begins. Resolves to whether its answer was small; never rejects.
   */
  runAlone(request: Request, onStart: () => void): Promise<boolean>;
  /** The reads of a plan have turned out short, or not so. */
  paced(ready: ReadyPlan, isShort: boolean): void;
}
