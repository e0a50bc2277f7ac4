/**
 * The errors that the engine answers with, and the one for its own broken assumptions. A code is
 * stable; which HTTP status it gets is decided in `gateway/errors.ts`, not here.
 */

/** Every code of an expected error that arises while a query or its data is read. */
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

/** A place in a text. In errors both members count from 1; in `/metadata` from 0. */
export interface Position {
  readonly ln: number;
  readonly col: number;
}

/** What may accompany an {@link EngineError}, beside its code and its sentence. */
export interface ErrorDetails {
  readonly span?: Span | undefined;
  readonly position?: Position | undefined;
  readonly hint?: string | undefined;
  /** Where in a document (`domain.entities[3].name`, `data.ids[2]`), when it is not an expression. */
  readonly place?: string | undefined;
  /** Every fault, where several are answered together. */
  readonly errors?: readonly PlacedFault[] | undefined;
}

/** One of several faults, and where it is. */
export interface PlacedFault {
  readonly message: string;
  readonly place: string;
}

/** The plain, cloneable form of an error, as it crosses threads and becomes problem+json. */
export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly position?: Position;
  readonly hint?: string;
  readonly place?: string;
  readonly sqlstate?: string;
  readonly errors?: readonly PlacedFault[];
  /** The step of a transaction that it is about, from 0. */
  readonly step?: number;
}

/** An error that the sender of a query, its data or a schema can mend. */
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

/** Throws when `condition` is false: an internal error, which nothing catches to go on. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${message}`);
}

/** Ends an exhaustive switch. */
export function assertNever(value: never): never {
  throw new Error(`Broken invariant: unexpected ${JSON.stringify(value)}`);
}

/** The plain form of an engine error; absent members are left out. */
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
