/** Existing tables, as the database's catalog describes them: plain data with stored names. */
import type { Digits } from '../schema/model.js';

export interface ExistingColumn {
  readonly name: string;
  /**
   * The catalog's name of the type: `int4`, `varchar`, `tinyint(1)`. A domain has the name of its
   * base type.
   */
  readonly type: string;
  /** The type as the database displays it. */
  readonly declared: string;
  /** The largest number of characters, if there is a limit. */
  readonly length?: number;
  /** Of a decimal, if the column limits them. */
  readonly digits?: Digits;
  /** By which its strings are compared with those of other columns, where the database cannot mix collations. */
  readonly collation?: string;
  readonly isNullable: boolean;
  /** The SQL of its default. */
  readonly default?: string;
  /**
   * `numbered`: the database generates numbers. `computed`: it computes the value, and accepts
   * none.
   */
  readonly origin: 'given' | 'numbered' | 'computed';
  /** The values of an enumerated type, in order. */
  readonly enum?: ExistingEnum;
  readonly comment?: string;
  /** Whether the user lacks the right to read it. MySQL and MariaDB do not show such columns. */
  readonly isUnreadable?: boolean;
}

/** Whether an insert must provide a value for the column. */
export function isNeeded({ isNullable, default: fallback, origin }: ExistingColumn): boolean {
  return !isNullable && fallback === undefined && origin === 'given';
}

export interface ExistingEnum {
  /** Undefined if the type belongs to this column only. */
  readonly name: string | undefined;
  readonly values: readonly string[];
  /** Set if the type of the column is a domain over the enumerated type. */
  readonly isDomain?: true;
}

export interface ExistingForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** The referenced table. */
  readonly schema: string;
  readonly table: string;
  /** The referenced columns, in the same order. */
  readonly targetColumns: readonly string[];
  /** Set if the database has not checked the rows: some may refer to rows that do not exist. */
  readonly isUnchecked?: true;
}

/** The name of a table in remarks: `billing.invoice`. */
export function placeOf({ schema, name }: Pick<ExistingTable, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}

/** Whether an insert must provide a value for the column, because no trigger of the table may do so. */
export function mustBeGiven({ hasInsertTrigger }: ExistingTable, column: ExistingColumn): boolean {
  return isNeeded(column) && !hasInsertTrigger;
}

/** An existing table. The columns of keys and indexes are in their order. */
export interface ExistingTable {
  readonly schema: string;
  readonly name: string;
  /** Whether the table is found by its unqualified name. */
  readonly isVisible: boolean;
  /** Whether the server finds it by its name in any case. */
  readonly ignoresCase?: boolean;
  /** `extension`: it belongs to an extension. */
  readonly kind:
    | 'table'
    | 'foreign table'
    | 'partition'
    | 'view'
    | 'materialized view'
    | 'extension';
  /** Tables that inherit from it (PostgreSQL), whose rows it contains, too. */
  readonly heirs?: readonly string[];
  readonly columns: readonly ExistingColumn[];
  /** Undefined if it has none. */
  readonly primaryKey: readonly string[] | undefined;
  /** Unique keys and unique indexes, without the primary key, partial indexes and deferrable keys. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Unique keys that are checked when a statement or a transaction ends, so an upsert cannot use them. */
  readonly deferrableKeys?: readonly (readonly string[])[];
  /** The B-tree indexes, including those of keys, but without partial indexes. */
  readonly indexes: readonly (readonly string[])[];
  /** Indexes of other kinds, such as GIN, hash and FULLTEXT, and those on prefixes of strings. */
  readonly otherIndexes?: readonly (readonly string[])[];
  /** The names of all its indexes, where no other index or table may have them. */
  readonly indexNames?: readonly string[];
  readonly foreignKeys: readonly ExistingForeignKey[];
  /** Whether a trigger runs before each insert, which may fill in columns. */
  readonly hasInsertTrigger?: boolean;
  readonly comment?: string;
}
