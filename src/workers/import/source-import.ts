/** The part of an import that one source takes: a transaction on a connection of its own. */
import type { Statement, Written } from '../database/statement.js';
import type { ImportEntity } from './import-entity.js';
import type { ImportRow } from './row-reader.js';

export interface SourceImport {
  /** Whether rows without a key get one when they are taken, so that others must come before them. */
  readonly makesKeysAtOnce: boolean;
  begin(): Promise<void>;
  /** Takes rows, each behind its parent; what fails may come out at a later call. */
  take(rows: readonly ImportRow[]): Promise<void>;
  /** No more rows come: all keys are known then. */
  complete(): Promise<void>;
  /** Stores the rows of an entity; what they refer to is stored before, as far as there is an order. */
  store(entity: ImportEntity): Promise<void>;
  /** Runs other statements in the transaction. */
  run(statements: readonly Statement[]): Promise<readonly Written[]>;
  /** Checks what could not be checked row by row. */
  check(): Promise<void>;
  commit(): Promise<void>;
  /** Takes everything back; rejects when the connection is not fit for others. */
  rollBack(): Promise<void>;
}

/** What a source's part is made with. */
export interface SourceImportSettings<Connection> {
  readonly connection: Connection;
  /** The name of the source. */
  readonly source: string;
  /** The error to tell for one of a statement on the table of an entity. */
  readonly faultOf: (error: unknown, entity?: ImportEntity) => unknown;
}
