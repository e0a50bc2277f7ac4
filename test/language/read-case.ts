/** A case of the table: a query, and plain SQL that gives the rows that it must answer with. */
interface AskedCase {
  readonly query: string;
  /** The data; as JSON text where its numbers need all their digits. */
  readonly data?: Readonly<Record<string, unknown>> | string;
}

/** By a SELECT whose rows are the answer; nested rows by `json_agg` and `to_json`. */
interface SqlCase extends AskedCase {
  readonly sql: string;
}

/** By the rows themselves as JSON text, where they are literals anyway. */
interface RowsCase extends AskedCase {
  readonly rows: string;
}

/** By the code of the problem that it is refused with. */
interface RefusedCase extends AskedCase {
  readonly refused: string;
}

export type ReadCase = SqlCase | RowsCase | RefusedCase;
