/**
 * The engine's errors, and the one for broken assumptions. Codes are stable; `gateway/errors.ts`
 * maps them to HTTP statuses.
 */

/** The codes of expected errors in a query or its data. */
export type EngineErrorCode =
  | 'query-syntax'
  | 'query-too-long'
  | 'query-too-deep'
  | 'too-complex'
  | 'include-too-deep'
  | 'too-many-joins'
  | 'list-too-long'
  | 'unknown-entity'
  | 'unknown-property'
  | 'unknown-relation'
  | 'unknown-clause'
  | 'unknown-function'
  | 'duplicate-clause'
  | 'wrong-arguments'
  | 'type-mismatch'
  | 'relation-to-many'
  | 'unknown-stage'
  | 'unknown-view'
  | 'unsupported'
  | 'data-malformed'
  | 'parameter-missing'
  | 'parameter-type'
  | 'parameter-unknown'
  | 'constraint-unmet'
  | 'row-outside-view'
  | 'evaluation-failed'
  | 'value-out-of-range'
  | 'value-unreadable'
  | 'reference-invalid'
  | 'write-in-read-only'
  | 'listener-failed'
  | 'import-malformed'
  | 'import-invalid'
  | 'schema-invalid';

/** A half-open range of UTF-16 offsets in the text of an expression. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A position in a text. Lines and columns count from 1 in errors, and from 0 in `/metadata`. */
export interface Position {
  readonly ln: number;
  readonly col: number;
}

/** Details of an {@link EngineError}. */
export interface ErrorDetails {
  readonly span?: Span | undefined;
  readonly position?: Position | undefined;
  readonly hint?: string | undefined;
  /**
   * The place in a document (`domain.entities[3].name`, `data.ids[2]`), if the error is not in an
   * expression.
   */
  readonly place?: string | undefined;
  /** All errors, if several are reported together. */
  readonly errors?: readonly PlacedFault[] | undefined;
}

/** One of several errors, and its place. */
export interface PlacedFault {
  readonly message: string;
  readonly place: string;
}

/** The plain, cloneable form of an error that crosses threads and becomes problem+json. */
export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly position?: Position;
  readonly hint?: string;
  readonly place?: string;
  readonly sqlstate?: string;
  readonly errors?: readonly PlacedFault[];
  /** The number of the failed step of a transaction, from 0. */
  readonly step?: number;
}

/** An error that the author of a query, its data or a schema can fix. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  readonly span: Span | undefined;
  readonly position: Position | undefined;
  readonly hint: string | undefined;
  readonly place: string | undefined;
  readonly errors: readonly PlacedFault[] | undefined;

  constructor(code: EngineErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.span = details.span;
    this.position = details.position;
    this.hint = details.hint;
    this.place = details.place;
    this.errors = details.errors;
  }
}

/** A message with a full stop, unless it ends a sentence already. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Throws an internal error if `condition` is false. No caller catches it to carry on. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${message}`);
}

/** Ends an exhaustive switch. */
export function assertNever(value: never): never {
  throw new Error(`Broken invariant: unexpected ${JSON.stringify(value)}`);
}

/** The plain form of an engine error, without absent members. */
export function toProblem(error: EngineError): Problem {
  return {
    code: error.code,
    detail: error.message,
    ...(error.position && { position: error.position }),
    ...(error.hint !== undefined && { hint: error.hint }),
    ...(error.place !== undefined && { place: error.place }),
    ...(error.errors && { errors: error.errors }),
  };
}
