/** A connection that reads and changes the tables of a database of any dialect. */
import type { DialectName, ExistingTable, OwnDatabase } from '../../engine/index.js';
import type { SourceError } from './source-error.js';

/** Opened for one task, and closed by it. */
export interface TableConnection {
  /**
   * Runs `work` while other changes of tables by Rowgate are locked out. If the database can roll
   * back such changes, it is one transaction, which an error of `work` rolls back.
   */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The dialect of the server, whatever the address says. */
  readonly dialect: DialectName;
  /** The tables and views that unqualified names find, and those of the schemas. */
  readTables(schemas: readonly string[]): Promise<readonly ExistingTable[]>;
  /** What the SQL for new tables has to name, on databases that require it. */
  readDatabase?(): Promise<OwnDatabase>;
  /** How many connections the server allows, to all programs together. */
  connectionsMax(): Promise<number>;
  /** Runs one statement without parameters. */
  execute(sql: string): Promise<void>;
  /** What an error of `execute` means. */
  errorOf(error: unknown): SourceError;
  close(): Promise<void>;
}

/**
 * Whether the database's user may run a statement, which is run. A statement that fails otherwise is allowed. Rejects if
 * the connection was lost.
 */
export async function allows(connection: TableConnection, sql: string): Promise<boolean> {
  try {
    await connection.execute(sql);
    return true;
  } catch (cause) {
    const error = connection.errorOf(cause);
    if (error.code === 'source-unavailable') throw error;
    return error.code !== 'permission-denied';
  }
}
