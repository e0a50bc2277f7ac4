/** The part of an import that one source takes: a transaction on a connection of its own. */
import type { StagedEntity } from './staged-entity.js';

export interface SourceImport {
  begin(): Promise<void>;
  /** Sends the waiting rows of an entity. */
  send(staged: StagedEntity): Promise<void>;
  /** Stores all that was sent, what is referred to first; faults of the rows come out here. */
  store(): Promise<void>;
  commit(): Promise<void>;
  /** Takes everything back; rejects when the connection is not fit for others. */
  rollBack(): Promise<void>;
}
