/** What differs between the databases where rows are written. */
import type { WriteField } from '../../compiled-write.js';

/** One database's way; see `postgresql-write.ts` and `mysql-write.ts`. */
export interface WriteDialect {
  /**
   * Rows that travel as lists, as a table named `given` of the columns c1, c2, … and ord, which
   * counts them from 1. `next` gives the next placeholder.
   */
  givenRows(fields: readonly WriteField[], next: () => string): string;
  /** The parameters of `givenRows`, from the texts of each row in the order of the fields. */
  givenParameters(rows: readonly (readonly (string | null)[])[]): readonly string[];
  /**
   * What follows an INSERT whose row may be there already; `updated` may be empty. A row that is
   * there with another value of what is fixed is left alone, and not returned.
   */
  onConflict(
    keys: readonly WriteField[],
    updated: readonly WriteField[],
    conflict: Conflict,
  ): string;
  /** ` RETURNING …` of columns as they stand in SQL; empty where the database has none. */
  returning(columns: readonly string[]): string;
  /** The INSERT of a row of nothing but defaults, up to RETURNING. */
  defaultRow(table: string): string;
  /** UPDATE of rows that `given` names by key. */
  updateGiven(parts: GivenUpdate): string;
  /** The head of a DELETE from a table under an alias. */
  deleteFrom(table: string, alias: string): string;
  /**
   * Moves the sequence of a column past a key that was given: its parameters are the key, the table
   * as it stands in SQL, and the stored name of the column. Undefined where that needs no statement.
   */
  readonly moveSequence: string | undefined;
  /** `keys` are among the rows of a SELECT; `isOwn`: it reads the table that is written. */
  amongRows(keys: readonly string[], select: string, isOwn: boolean): string;
}

/** What is known of the row in the way of an INSERT. */
export interface Conflict {
  readonly fixed: readonly WriteField[];
  /** What its columns stand behind. */
  readonly table: string;
}

/** The parts of an UPDATE of given rows. */
export interface GivenUpdate {
  readonly table: string;
  readonly alias: string;
  readonly given: string;
  readonly assignments: readonly string[];
  readonly conditions: readonly string[];
}
