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
