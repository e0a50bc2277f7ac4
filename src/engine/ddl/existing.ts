/** The tables that a database holds, as its catalog tells: plain data, names as they are stored. */

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
  /** Unique keys and unique indexes, the primary key aside; those of part of the rows left out. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Every index, those of keys among them; those of part of the rows left out. */
  readonly indexes: readonly (readonly string[])[];
  readonly foreignKeys: readonly ExistingForeignKey[];
}
