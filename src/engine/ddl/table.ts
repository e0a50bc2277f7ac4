/**
 * The tables that a mapping needs. Each table and column has two names: `name` as written in the
 * schema file, for SQL, and `key` as in the database's catalog, for comparisons.
 */
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';
import type { StoredTable } from '../dialects/table-name.js';

/** A reference to one row of another table, or of the same one. */
export interface ForeignKeyDefinition {
  readonly columns: readonly ColumnDefinition[];
  readonly table: Pick<TableDefinition, 'name' | 'key' | 'stored'>;
  /** The referenced columns, in the same order. */
  readonly targets: readonly ColumnDefinition[];
}

/** A table to create. A key or an index without columns is not created. */
export interface TableDefinition {
  readonly name: string;
  readonly key: string;
  readonly stored: StoredTable;
  readonly dialect: DdlDialect;
  /** The names that its constraints and indexes cannot have, because there are others with them. */
  readonly takenNames: ReadonlySet<string>;
  readonly columns: readonly ColumnDefinition[];
  readonly primaryKey: readonly ColumnDefinition[];
  readonly uniqueKeys: readonly (readonly ColumnDefinition[])[];
  readonly indexes: readonly (readonly ColumnDefinition[])[];
  readonly foreignKeys: readonly ForeignKeyDefinition[];
}

export const IDEMPOTENCY_TABLE = 'rowgate_idempotency';

/** A statement, and a short description. */
export interface DdlStep {
  readonly description: string;
  readonly sql: string;
}

/** The statements in order, and remarks about what is impossible and why. */
export interface DdlPlan {
  readonly steps: readonly DdlStep[];
  readonly remarks: readonly string[];
}
