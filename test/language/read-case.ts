/** A case of the table: a query, and plain SQL that returns the expected rows. */
interface AskedCase {
  readonly query: string;
  /** The data, as JSON text if its numbers need all their digits. */
  readonly data?: Readonly<Record<string, unknown>> | string;
}

/** The rows are those of a SELECT; nested rows use `json_agg` and `to_json`. */
interface SqlCase extends AskedCase {
  readonly sql: string;
}

/** The rows are given as JSON text, because they are literals. */
interface RowsCase extends AskedCase {
  readonly rows: string;
}

/** The query is refused with a problem code. */
interface RefusedCase extends AskedCase {
  readonly refused: string;
}

export type ReadCase = SqlCase | RowsCase | RefusedCase;
