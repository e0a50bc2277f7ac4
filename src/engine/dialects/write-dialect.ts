/** The differences between databases in writing rows. */
import type { WriteField } from '../compiled-write.js';
import type { OtherTexts } from '../values/scalar-text.js';

/** Implemented in `postgresql/writes.ts` and `mysql/writes.ts`. */
export interface WriteDialect {
  /**
   * How to send many rows as one list per field. Absent if the database cannot; each row then has its
   * own placeholders.
   */
  readonly lists?: RowLists;
  /** How many of the remaining rows one INSERT writes, given their number of fields. */
  rowsAtOnce(left: number, fields: number): number;
  /** The most characters in the values of several rows in a statement; absent if the database does not limit its size. */
  readonly charactersAtOnce?: number;
  /**
   * The clause of an INSERT whose row may already exist; `updated` may be empty. An existing row with
   * other fixed values stays unchanged and is not returned.
   */
  onConflict(
    keys: readonly WriteField[],
    updated: readonly WriteField[],
    conflict: Conflict,
  ): string;
  /**
   * A text as a value of the column's type, which may be an enumerated type; `mapping` names the column in
   * the schema file, and `base` is the row, or a null of its type. With a null, a column whose domain is not null fails.
   * Absent if the database converts texts by itself.
   */
  enumOfText?(sql: string, base: string, mapping: string): string;
  /** A double as a decimal with all its digits. Absent if the database converts it so by itself. */
  decimalOfDouble?(sql: string): string;
  /** What an INSERT can return: any expression, only columns, or nothing. */
  readonly returnsInserted: 'all' | 'columns' | 'none';
  /** Whether an UPDATE can return what it stored. */
  readonly returnsUpdated: boolean;
  /** How rows are found by the keys that their INSERT returns, if it can return columns only. */
  readonly keptKeys?: KeptKeys | undefined;
  /** The condition that matches the keys that the previous INSERT generated for this number of rows. */
  generatedKeys(column: string, rows: number): string;
  /** A value as the column stores it; absent if every INSERT returns its keys. */
  asStored?(sql: string, field: WriteField): string;
  /** The clause by which given values replace those that the database would always generate. */
  readonly overriding?: string;
  /** The INSERT of a row with nothing but defaults, up to RETURNING. */
  defaultRow(table: string): string;
  /** The start of a DELETE from a table with an alias. */
  deleteFrom(table: string, alias: string): string;
  /**
   * A statement that moves the sequence of a column past explicit keys. Its parameters are the highest and the
   * lowest key, the table as SQL, and the stored name of the column. Undefined if no statement is needed.
   */
  readonly moveSequence: string | undefined;
  /**
   * A statement that fails if triggers or rules may leave out rows that are inserted into a table, which is its
   * parameter, as SQL. Absent if the database has none that do.
   */
  readonly leavesNoneOut?: string;
  /** Whether dates can be stored only in the years 1 to 9999. */
  readonly commonYears?: true;
  /** Whether an integer of more than 64 bits is refused although it is only compared with keys. */
  readonly boundedKeys?: true;
  /** Values that a row may have, but not the data of a request. An import stores them again. */
  readonly storedTexts: OtherTexts;
  /** Which statements may read the table that they write, under another alias. */
  readonly readsWritten: readonly ('update' | 'delete')[];
  /** The SQLSTATEs of constraint violations. */
  readonly violationStates: { readonly foreignKey: string; readonly unique: string };
  /**
   * The condition that `keys` are among the rows of a SELECT. `isOwn`: the SELECT reads the table being
   * written.
   */
  amongRows(keys: readonly string[], select: string, isOwn: boolean): string;
}

/** The keys that an INSERT stores, kept in the session for the statement after it. */
export interface KeptKeys {
  /** What the INSERT of this number of rows returns. Several rows have a single column, a whole number. */
  returned(fields: readonly WriteField[], rows: number): readonly string[];
  /** The rest of a SELECT of these rows, from FROM. */
  from(table: string, alias: string, fields: readonly WriteField[], rows: number): string;
}

/** What is known about an existing row with which an INSERT may conflict. */
export interface Conflict {
  /** What an existing row keeps if nothing is updated. */
  readonly idle: WriteField | undefined;
  readonly fixed: readonly WriteField[];
  /** The condition, as SQL, for rows that may be updated. */
  readonly predicate?: string;
  /** The name that qualifies the table's columns. */
  readonly table: string;
}

/** Writes many rows by sending one list for each field. An UPDATE reads them in a clause FROM. */
export interface RowLists {
  /**
   * The rows as a table `given` with the columns c1, c2, … and ord, which counts from 1. `next` returns
   * the next placeholder; `into` is the table that they are written to.
   */
  table(fields: readonly WriteField[], next: () => string, into: string): string;
  /** A column of `given`, whose SQL is `sql`, as a value of its field. */
  value(field: WriteField, sql: string): string;
  /**
   * The INSERT, changed so that it fails unless it returns every row. It returns an additional last
   * column.
   */
  counted?(insert: string): string;
  /** The parameters of `table`, for rows of texts in the order of the fields. */
  parameters(rows: readonly (readonly (string | null)[])[]): readonly string[];
}
