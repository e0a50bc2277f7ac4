/** The expected errors of a database: a stable code and a sentence of ours, never the server's. */

export type SourceErrorCode =
  | 'unique-violation'
  | 'foreign-key-violation'
  | 'not-null-violation'
  | 'check-violation'
  | 'value-too-long'
  | 'text-too-long'
  | 'value-out-of-range'
  | 'evaluation-failed'
  | 'serialization-failure'
  | 'stored-in-part'
  | 'outcome-unknown'
  | 'statement-timeout'
  | 'cancelled'
  | 'queue-timeout'
  | 'source-unavailable'
  | 'source-read-only'
  | 'schema-mismatch'
  | 'rows-over-limit'
  | 'write-in-read-only'
  | 'answer-too-large'
  | 'idempotency-key-reused'
  | 'idempotency-unavailable'
  | 'statement-stale'
  | 'internal';

const details = {
  'unique-violation': 'A row with the same unique value exists already.',
  'foreign-key-violation': 'A row refers to one that does not exist, or is still referred to.',
  'not-null-violation': 'A value that must not be null is null.',
  'check-violation': 'A value does not meet a condition of the database.',
  'value-too-long': 'A text is longer than its column holds.',
  'text-too-long':
    'A text of the request, or one that its query makes, is longer than the database takes.',
  'value-out-of-range': 'A number is out of the range of its type.',
  'evaluation-failed': 'The database could not evaluate an expression of the query on its values.',
  'serialization-failure': 'The request collided with another one; it may be sent again.',
  'stored-in-part': 'Only some of the sources have stored their part.',
  'outcome-unknown':
    'The connection to the database was lost during the commit: whether the write took effect is unknown.',
  'statement-timeout': 'The statement took longer than its time limit.',
  cancelled: 'The request was cancelled.',
  'queue-timeout': 'No connection to the database became free in time.',
  'source-unavailable': 'The database cannot be reached, or went away.',
  'source-read-only': 'The database takes no writes: it is a standby, or was set to read-only.',
  'schema-mismatch':
    'The database does not match the schema: a table or column is missing, has another type, or may not be accessed.',
  'rows-over-limit': 'The result has more rows than allowed.',
  'write-in-read-only': 'The transaction is read-only.',
  'answer-too-large': 'The answer of the transaction is larger than allowed.',
  'idempotency-key-reused': 'The idempotency key was used for another request.',
  'idempotency-unavailable':
    'The table rowgate_idempotency cannot be used, and it could not be created.',
  'statement-stale': 'The tables of the query changed while it ran; it may be sent again.',
  internal: 'The database refused the statement.',
} satisfies Record<SourceErrorCode, string>;

/** What may accompany a {@link SourceError}. */
export interface SourceErrorOptions {
  readonly sqlstate?: string | undefined;
  /** A sentence that says more than that of the code. */
  readonly detail?: string | undefined;
  /** Where in the data (`data.details[1].productId`). */
  readonly place?: string | undefined;
  readonly violation?: Violation | undefined;
  /** Which statement of several has failed, and at which of its rows. */
  readonly at?: FaultPlace | undefined;
  /** What the driver said: logged, never answered. */
  readonly cause?: unknown;
}

/** What the database says of a constraint that a write violates, in the names of its catalog. */
export interface Violation {
  readonly table: string;
  /** The columns of the key, or the one column; empty when unknown. */
  readonly columns: readonly string[];
  /** The values of the key, in the order of its columns; empty when unknown. Never answered. */
  readonly values: readonly string[];
}

/** Counted from 0. */
export interface FaultPlace {
  readonly statement: number;
  /** Of a statement that writes rows: the one at fault, where that is known. */
  readonly row?: number;
}

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly sqlstate: string | undefined;
  readonly place: string | undefined;
  readonly violation: Violation | undefined;
  readonly at: FaultPlace | undefined;

  constructor(code: SourceErrorCode, options: SourceErrorOptions = {}) {
    super(options.detail ?? details[code], { cause: options.cause });
    this.name = 'SourceError';
    this.code = code;
    this.sqlstate = options.sqlstate;
    this.place = options.place;
    this.violation = options.violation;
    this.at = options.at;
  }

  /** The same error, of a statement among several. */
  placedAt(at: FaultPlace): SourceError {
    const { code, sqlstate, place, violation, cause, message: detail } = this;
    return new SourceError(code, { sqlstate, place, violation, cause, detail, at });
  }
}
