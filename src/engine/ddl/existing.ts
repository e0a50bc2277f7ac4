/** The tables that a database holds, as its catalog tells: plain data, names as they are stored. */

/** A column of a table that is there. */
export interface ExistingColumn {
  readonly name: string;
  /** The type by the catalog's name for it, that of a domain resolved: `int4`, `varchar`, `tinyint(1)`. */
  readonly type: string;
  /** The type as the database writes it for a person. */
  readonly declared: string;
  /** The greatest number of characters, where there is one. */
  readonly length?: number;
  readonly isNullable: boolean;
  /** What stands behind DEFAULT. */
  readonly default?: string;
  /** `numbered`: the database counts; `computed`: it makes the value of others, and takes none. */
  readonly origin: 'given' | 'numbered' | 'computed';
  /** The values of an enumerated type, in their order. */
  readonly enum?: ExistingEnum;
  readonly comment?: string;
}

export interface ExistingEnum {
  /** Undefined where the type belongs to the column alone. */
  readonly name: string | undefined;
  readonly values: readonly string[];
}

/** A foreign key of a table that is there. */
export interface ExistingForeignKey {
  /** The name of the constraint. */
  readonly name: string;
  readonly columns: readonly string[];
  /** The table that it leads to. */
  readonly schema: string;
  readonly table: string;
  /** Those that the columns are equal to, in the same order. */
  readonly targetColumns: readonly string[];
}

/** A table that is there. Lists of columns are in the order of the key or index. */
export interface ExistingTable {
  readonly schema: string;
  readonly name: string;
  /** Whether a sentence finds it under its bare name. */
  readonly isVisible: boolean;
  /** `extension`: whatever an extension has made for itself. */
  readonly kind: 'table' | 'partition' | 'view' | 'materialized view' | 'extension';
  readonly columns: readonly ExistingColumn[];
  /** Undefined: it has none. */
  readonly primaryKey: readonly string[] | undefined;
  /** Unique keys and unique indexes, the primary key aside; those of part of the rows left out. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Every index, those of keys among them; those of part of the rows left out. */
  readonly indexes: readonly (readonly string[])[];
  readonly foreignKeys: readonly ExistingForeignKey[];
  readonly comment?: string;
}
