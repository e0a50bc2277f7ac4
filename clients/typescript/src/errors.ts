/** The errors with which calls reject. Each is a `RowgateError`. */
import type { ErrorCode } from './error-codes.js';

/** An error, as the gateway describes it (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId?: string;
  /** The position of the error in the text of the query. Lines and columns count from 1. */
  readonly position?: { readonly ln: number; readonly col: number };
  readonly hint?: string;
  /** The place of the error in the data, such as `data.ids[2]`. */
  readonly place?: string;
  /** The code of the database. */
  readonly sqlstate?: string;
  /** The number of the failed step of a transaction, from 0. */
  readonly step?: number;
  /** Everything that is wrong with the data. */
  readonly errors?: readonly { readonly message: string; readonly place: string }[];
}

export class RowgateError extends Error {
  override readonly name: string = 'RowgateError';
}

/** The gateway answered with an error. */
export class ProblemError extends RowgateError {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly code: ErrorCode;
  readonly status: number;
  readonly position: Problem['position'];
  /** The seconds after which the request can be sent again. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.hint ? `${problem.detail} ${problem.hint}` : problem.detail);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.position = problem.position;
    this.retryAfter = retryAfter;
  }
}

/** Something other than the gateway answered, such as a proxy. */
export class AnswerError extends RowgateError {
  override readonly name = 'AnswerError';
  readonly status: number;
  /** The seconds after which the request can be sent again. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number | undefined } = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The gateway cannot be reached, or the connection ended before the whole answer arrived. */
export class ConnectionError extends RowgateError {
  override readonly name = 'ConnectionError';
}

/** The call took longer than its `timeoutMs`. */
export class TimeoutError extends RowgateError {
  override readonly name = 'TimeoutError';
}
