/** What differs between the databases where rows are written. */
import type { WriteField } from '../compiled-write.js';

/** The texts of a row, in the order of its fields. */
export type RowTexts = readonly (string | null)[];

/** One database's way; see `postgresql-write.ts` and `mysql-write.ts`. */
export interface WriteDialect {
  /** Of databases that take many rows as lists; without it, each row has placeholders of its own. */
  readonly lists?: RowLists;
  /** Rows that one INSERT takes, of so many that are left, each of so many fields. */
  rowsAtOnce(left: number, fields: number): number;
  /**
   * What follows an INSERT whose row may be there already; `updated` may be empty. A row that is
   * there with another value of what is fixed is left alone, and not returned.
   */
  onConflict(
    keys: readonly WriteField[],
    updated: readonly WriteField[],
    conflict: Conflict,
  ): string;
  /** What an INSERT tells of what it has stored: all, columns as they are, or nothing. */
  readonly returnsInserted: 'all' | 'columns' | 'none';
  /** Whether an UPDATE tells what it has stored. */
  readonly returnsUpdated: boolean;
  /** The condition on a generated key that the INSERT of so many rows before it has made. */
  madeKeys(column: string, rows: number): string;
  /** The INSERT of a row of nothing but defaults, up to RETURNING. */
  defaultRow(table: string): string;
  /** The head of a DELETE from a table under an alias. */
  deleteFrom(table: string, alias: string): string;
  /**
   * Moves the sequence of a column past a key that was given: its parameters are the key, the table
   * as it stands in SQL, and the stored name of the column. Undefined where that needs no statement.
   */
  readonly moveSequence: string | undefined;
  /** What of UPDATE and DELETE may read the table that it writes, under an alias of its own. */
  readonly readsWritten: readonly ('update' | 'delete')[];
  /** The SQLSTATEs that the database gives to violations. */
  readonly violationStates: { readonly foreignKey: string; readonly unique: string };
  /** `keys` are among the rows of a SELECT; `isOwn`: it reads the table that is written. */
  amongRows(keys: readonly string[], select: string, isOwn: boolean): string;
}

/** What is known of the row in the way of an INSERT. */
export interface Conflict {
  readonly fixed: readonly WriteField[];
  /** The SQL that holds for the rows which may be updated. */
  readonly predicate?: string;
  /** What its columns stand behind. */
  readonly table: string;
}

/** Rows that travel as a list a field. */
export interface RowLists {
  /**
   * The rows as a table named `given` of the columns c1, c2, … and ord, which counts them from 1.
   * `next` gives the next placeholder.
   */
  table(fields: readonly WriteField[], next: () => string): string;
  /** An INSERT of them that fails unless it returns every row; one more column stands behind what it returns. */
  counted?(insert: string): string;
  /** The parameters of `table`. */
  parameters(rows: readonly RowTexts[]): readonly string[];
  /** UPDATE of rows that `given` names by key. */
  update(parts: GivenUpdate): string;
}

/** The parts of an UPDATE of given rows. */
export interface GivenUpdate {
  readonly table: string;
  readonly alias: string;
  readonly given: string;
  readonly assignments: readonly string[];
  readonly conditions: readonly string[];
}
