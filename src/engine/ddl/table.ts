/**
 * The tables that a mapping asks for. Each table and column carries two names: `name` as written in
 * the schema file, for SQL, and `key` as the database's catalog has it, for comparing.
 */
import type { ColumnDefinition } from '../dialects/ddl-dialect.js';
import type { StoredTable } from '../dialects/table-name.js';

/** A reference to one row of another table, or of the same one. */
export interface ForeignKeyDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly table: Pick<TableDefinition, 'name' | 'key' | 'stored'>;
  /** Those that the columns are equal to, in the same order. */
  readonly targets: readonly ColumnDefinition[];
}

/** A table to be. Keys and indexes without columns are left out. */
export interface TableDefinition {
  readonly name: string;
  readonly key: string;
  readonly stored: StoredTable;
  readonly columns: readonly ColumnDefinition[];
  readonly primaryKey: readonly ColumnDefinition[];
  readonly uniqueKeys: readonly (readonly ColumnDefinition[])[];
  readonly indexes: readonly (readonly ColumnDefinition[])[];
  readonly foreignKeys: readonly ForeignKeyDefinition[];
}

/** The name of the table of answers that are kept under idempotency keys. */
export const IDEMPOTENCY_TABLE = 'rowgate_idempotency';

/** One statement, and what it does in a few words. */
export interface DdlStep {
  readonly description: string;
  readonly sql: string;
}

/** The statements in the order in which they work, and what is left undone and why. */
export interface DdlPlan {
  readonly steps: readonly DdlStep[];
  readonly remarks: readonly string[];
}
