/** Converts whatever a task throws into the plain reply with which the gateway answers. */
import { EngineError, type Problem, toProblem } from '../engine/index.js';
import { SourceError, type SourceErrorCode } from './database/source-error.js';
import { suppressedErrors } from './suppressed-errors.js';

/** A problem to answer with, and the details to log with it. */
export interface Failure {
  readonly problem: Problem;
  readonly stack?: string;
}

/** Errors whose cause is logged with its stack. */
const logged: ReadonlySet<SourceErrorCode> = new Set([
  'internal',
  'outcome-unknown',
  'idempotency-unavailable',
]);

/** Errors with a cause outside of Rowgate's program. The log says what the database reported. */
const reported: ReadonlySet<SourceErrorCode> = new Set([
  'schema-mismatch',
  'source-unavailable',
  'permission-denied',
  'refused-by-database',
]);

export function toFailure(error: unknown): Failure {
  if (error instanceof StepFault) {
    const { problem, ...rest } = toFailure(error.cause);
    return { problem: { ...problem, step: error.step }, ...rest };
  }
  const failure = failureOf(error);
  const others = suppressedErrors(error).map(stackOf);
  if (others.length === 0) return failure;
  return { ...failure, stack: [failure.stack, ...others].filter(Boolean).join('\nBeside it: ') };
}

function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) return { problem: toProblem(error) };
  if (error instanceof SourceError) return sourceFailure(error);
  const problem = {
    code: 'internal',
    detail: 'The request failed because of an error in the service.',
  };
  return { problem, stack: stackOf(error) };
}

function sourceFailure(error: SourceError): Failure {
  // For the client, tables that changed twice look like a conflict with another transaction.
  const code = error.code === 'cached-plan-invalid' ? 'serialization-failure' : error.code;
  const { sqlstate, place } = error;
  const problem = {
    code,
    detail: error.message,
    ...(place !== undefined && { place }),
    ...(sqlstate && { sqlstate }),
  };
  if (reported.has(error.code) || error.isReported) return { problem, stack: reportOf(error) };
  return logged.has(error.code) ? { problem, stack: stackOf(error) } : { problem };
}

/** The message of the database or the network. */
export function reportOf({ code, cause, message }: SourceError): string {
  const said = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return code === 'permission-denied' ? `${said}: GRANT it to the user of the source` : said;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\nCaused by: ${stackOf(error.cause)}`;
}

/** An error in one step of a transaction, with the error itself as its `cause`. */
export class StepFault extends Error {
  /** Counted from 0. */
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super(`step ${step} failed`, { cause });
    this.name = 'StepFault';
    this.step = step;
  }
}
