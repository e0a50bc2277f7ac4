/** A connection that reads and changes a database's tables, whatever its dialect. */
import type { DialectName, ExistingTable } from '../../engine/index.js';

/** Opened for one task and closed by it. */
export interface TableConnection {
  /**
   * Runs `work` with other changes of tables by Rowgate kept out until its end, in one transaction
   * where the database can undo such changes. What `work` throws undoes them there, and is thrown.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** That of the server, whatever the address says of it. */
  readonly dialect: DialectName;
  /** The tables and views that a statement finds under their bare names, and those of the schemas. */
  readTables(schemas: readonly string[]): Promise<readonly ExistingTable[]>;
  /** The collation of the database's texts, where tables that are made have a say in theirs. */
  readCollation?(): Promise<string | undefined>;
  /** Runs one statement without parameters. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}
