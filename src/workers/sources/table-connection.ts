/** A connection that reads and changes a database's tables, whatever its dialect. */
import type { ExistingTable } from '../../engine/index.js';

/** Opened for one task and closed by it. */
export interface TableConnection {
  /**
   * Runs `work` in one transaction, with other changes of tables by Rowgate kept out until its end.
   * What `work` throws undoes all of it, and is thrown.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The tables that a sentence finds under their bare names. */
  readTables(): Promise<readonly ExistingTable[]>;
  /** Runs one statement without parameters. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}
