/**
 * The tables that a mapping asks for. Each table and column carries two names: `name` as written in
 * the schema file, for SQL, and `key` as the database's catalog has it, for comparing.
 */
import type { ColumnDefinition } from '../dialects/ddl-dialect.js';

/** A reference to one row of another table, or of the same one. */
export interface ForeignKeyDefinition {
  readonly column: ColumnDefinition;
  readonly table: { readonly name: string; readonly key: string };
  readonly target: ColumnDefinition;
}

/** A table to be. Keys and indexes without columns are left out. */
export interface TableDefinition {
  readonly name: string;
  readonly key: string;
  readonly columns: readonly ColumnDefinition[];
  readonly primaryKey: readonly ColumnDefinition[];
  readonly uniqueKeys: readonly (readonly ColumnDefinition[])[];
  readonly indexes: readonly (readonly ColumnDefinition[])[];
  readonly foreignKeys: readonly ForeignKeyDefinition[];
}

/** The name of the table of answers that are kept under idempotency keys. */
export const IDEMPOTENCY_TABLE = 'rowgate_idempotency';

/** A foreign key of a table that is there. */
export interface ExistingForeignKey {
  /** The name of the constraint. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The table that it leads to. */
  readonly table: string;
}

/** A table that is there. Lists of columns are in the order of the key or index. */
export interface ExistingTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Undefined: it has none. */
  readonly primaryKey: readonly string[] | undefined;
  /** Unique keys and unique indexes except the primary key; partial ones are not included. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Every index, those of keys among them; those of part of the rows left out. */
  readonly indexes: readonly (readonly string[])[];
  readonly foreignKeys: readonly ExistingForeignKey[];
}

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
