/**
 * The expected errors of a database. Each has a stable code and a sentence written by Rowgate, never
 * the server's message.
 */

const details = {
  'unique-violation': 'A row with the same unique value already exists.',
  'foreign-key-violation': 'A row refers to one that does not exist, or is still referred to.',
  'not-null-violation': 'A value that must not be null is null.',
  'check-violation': 'A value does not meet a condition of the database.',
  'value-too-long': 'A value is too long for its column.',
  'text-too-long':
    'A string in the request, or a result of its query, is longer than the database allows.',
  'value-out-of-range': 'A number is out of the range of its type.',
  'evaluation-failed': 'The database could not evaluate an expression of the query on its values.',
  'parameter-type': 'A value of the data does not have the type of its column.',
  'operation-undefined': 'The database has no such operation or function for the type of a column.',
  'permission-denied': 'The database does not allow its user to do this.',
  'refused-by-database':
    'The database refused the request, for example by a trigger or a rule. Its message is in the log.',
  'serialization-failure': 'The request conflicted with another one. It can be sent again.',
  'stored-in-part': 'Only some of the sources have stored their part.',
  'outcome-unknown':
    'The connection to the database was lost during the commit. It is not known whether the write took effect.',
  'statement-timeout': 'The statement took longer than its time limit.',
  cancelled: 'The request was cancelled.',
  'queue-timeout': 'No connection to the database became free in time.',
  'queue-full': 'Too many requests of this query are waiting already. Try again later.',
  'source-unavailable': 'The database cannot be reached, or the connection was lost.',
  'source-read-only':
    'The database does not accept writes: it is a standby, or it is set to read-only.',
  'schema-mismatch':
    'The database does not match the schema: a table or column is missing, or has another type.',
  'rows-over-limit': 'The result has more rows than allowed.',
  'write-in-read-only': 'The transaction is read-only.',
  'answer-too-large': 'The answer, which is buffered, is larger than allowed.',
  'idempotency-key-reused': 'The idempotency key was used for another request.',
  'idempotency-unavailable':
    'The table rowgate_idempotency cannot be used, and it could not be created.',
  'cached-plan-invalid': 'The tables of the query changed while it ran. It can be sent again.',
  internal: 'The database refused the statement.',
};

export type SourceErrorCode = keyof typeof details;

/** Details of a {@link SourceError}. */
export interface SourceErrorOptions {
  readonly sqlstate?: string | undefined;
  /** A more specific sentence than that of the code. */
  readonly detail?: string | undefined;
  /** The place in the data (`data.details[1].productId`). */
  readonly place?: string | undefined;
  readonly violation?: Violation | undefined;
  /** The column that the database lacks; the detail names it, unless one is given. */
  readonly missing?: string | undefined;
  /** The placeholder whose value the database could not read, counted from 1. */
  readonly parameter?: number | undefined;
  /** Which of several statements failed, and at which of its rows. */
  readonly at?: FaultPlace | undefined;
  /** Whether the database's message is logged, although errors of this code usually are not. */
  readonly isReported?: boolean;
  /** The driver's error, which is logged and never answered. */
  readonly cause?: unknown;
}

/** The violated constraint as the database reports it, in the names of its catalog. */
export interface Violation {
  /** Undefined for a condition of a domain, which is reported without its table. */
  readonly table: string | undefined;
  /** The schema of the table on PostgreSQL, its database on MySQL and MariaDB; undefined if unknown. */
  readonly schema?: string | undefined;
  /** The columns of the key; empty if unknown. */
  readonly columns: readonly string[];
  /** The values of the key, in the order of its columns; empty if unknown. Never answered. */
  readonly values: readonly string[];
  /** The name of the constraint or unique index, if the database reports it; for a CHECK, also that of a domain. */
  readonly constraint?: string | undefined;
}

function missingColumn(column: string | undefined): string | undefined {
  if (column === undefined) return undefined;
  return `The database does not match the schema: there is no column ${column}.`;
}

/** The detail of `unique-violation` for an exclusion constraint. */
export const EXCLUDED =
  'The row conflicts with another one: an exclusion constraint of the database does not allow both.';

/** The detail of `value-out-of-range` for a date or a time. */
export const DATE_OUT_OF_RANGE = 'A date is outside the range that the database can store.';

/** The detail of `value-out-of-range` for a row whose key the database cannot generate. */
export const NO_MORE_NUMBERS =
  'The database has no more numbers for a generated key: the column or its sequence has reached its maximum.';

/** Counted from 0. */
export interface FaultPlace {
  readonly statement: number;
  /** For a statement that writes rows: the failed row, if known. */
  readonly row?: number;
}

/** Whether a statement would have written a row twice, or a subquery had several rows. */
export function isRepeatedRow(error: unknown): boolean {
  return error instanceof SourceError && error.sqlstate === '21000';
}

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly sqlstate: string | undefined;
  readonly place: string | undefined;
  readonly violation: Violation | undefined;
  readonly missing: string | undefined;
  readonly at: FaultPlace | undefined;
  readonly parameter: number | undefined;
  readonly isReported: boolean;

  constructor(code: SourceErrorCode, options: SourceErrorOptions = {}) {
    super(options.detail ?? missingColumn(options.missing) ?? details[code], {
      cause: options.cause,
    });
    this.name = 'SourceError';
    this.code = code;
    this.sqlstate = options.sqlstate;
    this.place = options.place;
    this.violation = options.violation;
    this.missing = options.missing;
    this.at = options.at;
    this.parameter = options.parameter;
    this.isReported = options.isReported === true;
  }

  /** The same error except for these details. */
  with(changes: SourceErrorOptions & { readonly code?: SourceErrorCode }): SourceError {
    const { code, cause, message: detail } = this;
    return new SourceError(changes.code ?? code, { ...this, cause, detail, ...changes });
  }
}
