/** The one table from an error code to its HTTP status and title (RFC 9457). */
import type { EngineErrorCode, Problem } from '../engine/index.js';
import { stringifyAnswer } from './small-answers.js';

/** A problem that occurs in the gateway. Its code is in the table. */
export interface KnownProblem extends Problem {
  readonly code: ErrorCode;
}

/** Thrown for a request that cannot be served, and caught where the call is answered. */
export class Refusal extends Error {
  readonly problem: KnownProblem;

  constructor(code: ErrorCode, detail: string, more: Partial<Problem> = {}) {
    super(detail);
    this.problem = { ...more, code, detail };
  }
}

/** Where a client that has guessed a path finds the right one. */
export const ENDPOINTS_HINT =
  'POST /execute executes a query; GET /openapi.json describes all endpoints.';

/** The most UTF-16 units of a detail, a hint or a place that are sent. */
const DETAIL_LENGTH_MAX = 800;

interface ErrorAnswer {
  readonly status: number;
  readonly title: string;
}

/** Every code: the engine's, the workers' and the gateway's. */
export const errorTable = {
  'query-syntax': { status: 400, title: 'The expression does not parse' },
  'query-too-long': { status: 400, title: 'The expression is too long' },
  'query-too-deep': { status: 400, title: 'The expression nests too deeply' },
  'too-complex': { status: 400, title: 'The query is too complex' },
  'include-too-deep': { status: 400, title: 'The includes nest too deeply' },
  'too-many-joins': { status: 400, title: 'A statement joins too many tables' },
  'list-too-long': { status: 400, title: 'A list has too many items' },
  'unknown-entity': { status: 400, title: 'Unknown entity' },
  'unknown-property': { status: 400, title: 'Unknown property' },
  'unknown-relation': { status: 400, title: 'Unknown relation' },
  'unknown-clause': { status: 400, title: 'Unknown clause' },
  'unknown-function': { status: 400, title: 'Unknown function' },
  'duplicate-clause': { status: 400, title: 'A clause is given twice' },
  'wrong-arguments': { status: 400, title: 'Wrong arguments' },
  'type-mismatch': { status: 400, title: 'Types do not fit' },
  'relation-to-many': { status: 400, title: 'A to-many relation is used where one row is needed' },
  'unknown-stage': { status: 404, title: 'Unknown stage' },
  'unknown-view': { status: 404, title: 'Unknown view' },
  unsupported: { status: 400, title: 'Not supported' },
  'data-malformed': { status: 400, title: 'The data is malformed' },
  'parameter-missing': { status: 400, title: 'A parameter is missing' },
  'parameter-type': { status: 400, title: 'A parameter has the wrong type' },
  'parameter-unknown': { status: 400, title: 'The data has a member that the query does not use' },
  'constraint-unmet': { status: 422, title: 'A constraint is not met' },
  'value-unreadable': { status: 422, title: 'A stored value cannot be read' },
  'reference-invalid': { status: 400, title: 'A reference cannot be resolved' },
  'write-in-read-only': { status: 400, title: 'A read-only transaction writes' },
  'listener-failed': { status: 422, title: 'A listener stopped the request' },
  'row-outside-view': { status: 422, title: 'The row is outside the view' },
  'schema-invalid': { status: 500, title: 'The schema is invalid' },
  'member-unknown': { status: 400, title: 'The body has an unknown member' },
  'body-not-json': { status: 400, title: 'The body is not JSON' },
  'body-not-object': { status: 400, title: 'The body is not a JSON object' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'too-many-queries': { status: 400, title: 'The list has too many queries' },
  'query-missing': { status: 400, title: 'The query is missing' },
  'options-invalid': { status: 400, title: 'The options are invalid' },
  unauthenticated: { status: 401, title: 'A valid key or token is needed' },
  forbidden: { status: 403, title: 'The key or token does not allow this' },
  'query-not-allowed': { status: 403, title: 'The query is not allowed' },
  'keys-unavailable': { status: 503, title: 'Tokens cannot be verified' },
  'view-forbidden': { status: 403, title: 'The stage does not allow this view' },
  'steps-invalid': { status: 400, title: 'The steps are invalid' },
  'idempotency-key-invalid': { status: 400, title: 'The idempotency key is invalid' },
  'parameter-repeated': { status: 400, title: 'A parameter of the URL is given twice' },
  'path-malformed': { status: 400, title: 'The path is malformed' },
  'request-malformed': { status: 400, title: 'The request is malformed' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed' },
  'not-acceptable': { status: 406, title: 'No acceptable format' },
  'entity-not-found': { status: 404, title: 'No such entity' },
  'enum-not-found': { status: 404, title: 'No such enum' },
  'source-not-found': { status: 404, title: 'No such source' },
  'mapping-not-found': { status: 404, title: 'No such mapping' },
  'stage-not-found': { status: 404, title: 'No such stage' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'not-ready': { status: 503, title: 'Not ready' },
  'unique-violation': { status: 409, title: 'A unique key is taken' },
  'foreign-key-violation': { status: 409, title: 'A foreign key is violated' },
  'serialization-failure': { status: 409, title: 'The transaction conflicted with another one' },
  'stored-in-part': { status: 409, title: 'Only some sources have stored their part' },
  'not-null-violation': { status: 422, title: 'A value must not be null' },
  'check-violation': { status: 422, title: 'A constraint is not met' },
  'value-too-long': { status: 422, title: 'A value is too long' },
  'text-too-long': { status: 400, title: 'A string is too long for the database' },
  'value-out-of-range': { status: 400, title: 'A value is out of range' },
  'evaluation-failed': { status: 400, title: 'The expression cannot be evaluated' },
  'statement-timeout': { status: 504, title: 'The statement took too long' },
  'operation-undefined': { status: 400, title: 'The database has no such operation' },
  'permission-denied': { status: 403, title: 'The database does not allow it' },
  'refused-by-database': { status: 422, title: 'The database refused the request' },
  'schema-mismatch': { status: 500, title: 'The tables of the database do not match the schema' },
  'source-unavailable': { status: 503, title: 'The source is unavailable' },
  'source-read-only': { status: 503, title: 'The source is read-only' },
  'outcome-unknown': { status: 503, title: 'Whether the write took effect is unknown' },
  'queue-full': { status: 503, title: 'The queue is full' },
  'queue-timeout': { status: 503, title: 'The request waited too long' },
  'body-waited': { status: 503, title: 'There was no memory for the body' },
  draining: { status: 503, title: 'The service is stopping' },
  'worker-lost': { status: 503, title: 'The worker was lost' },
  'rows-over-limit': { status: 422, title: 'The result has too many rows' },
  'answer-too-large': { status: 422, title: 'The answer is too large' },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key is used for another request',
  },
  'idempotency-unavailable': { status: 503, title: 'Idempotency keys cannot be stored' },
  'import-malformed': { status: 400, title: 'The import is malformed' },
  'import-invalid': { status: 422, title: 'The import is invalid' },
  cancelled: { status: 499, title: 'The request was cancelled' },
  internal: { status: 500, title: 'Internal error' },
} satisfies Record<EngineErrorCode, ErrorAnswer> & Record<string, ErrorAnswer>;

export type ErrorCode = keyof typeof errorTable;

const answers: ReadonlyMap<string, ErrorAnswer> = new Map(Object.entries(errorTable));

/** The HTTP status of a code; an unknown code is an internal error. */
export function statusOf(code: string): number {
  return answers.get(code)?.status ?? errorTable.internal.status;
}

/**
 * Whether the same request can be sent again after this code without the risk of executing it twice.
 */
export function mayBeRepeated(code: string): boolean {
  return statusOf(code) === 503 && code !== 'outcome-unknown';
}

/** The status and the problem+json text of a problem. */
export function problemBody(
  problem: Problem,
  requestId: string | undefined,
): { readonly status: number; readonly body: string } {
  const known = answers.get(problem.code);
  const { status, title } = known ?? errorTable.internal;
  const code = known === undefined ? 'internal' : problem.code;
  const detail = known === undefined ? title : bounded(problem.detail);
  const type = `urn:rowgate:problem:${code}`;
  const { position, sqlstate, errors, step } = problem;
  const hint = problem.hint === undefined ? undefined : bounded(problem.hint);
  const place = problem.place === undefined ? undefined : bounded(problem.place);
  // Written out, because copying members by spreading would take twenty times as long.
  const body = stringifyAnswer('Problem', {
    type,
    title,
    status,
    detail,
    code,
    requestId,
    position,
    hint,
    place,
    sqlstate,
    errors,
    step,
  });
  return { status, body };
}

/** A problem may quote what the client sent, but only up to a limit. */
function bounded(text: string): string {
  if (text.length <= DETAIL_LENGTH_MAX) return text;
  // Does not cut a surrogate pair in half.
  const start = text.slice(0, DETAIL_LENGTH_MAX / 2).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-DETAIL_LENGTH_MAX / 4).replace(/^[\udc00-\udfff]/, '');
  return `${start} … ${end}`;
}

/** The problem of an internal error: the answer does not reveal the cause. */
export const INTERNAL_PROBLEM: KnownProblem = {
  code: 'internal',
  detail: 'An internal error occurred. It is logged under the id of this request.',
};

/** For an internal error, clients only learn that the server is misconfigured. */
export function publicProblem(problem: Problem): Problem {
  const isInternal = statusOf(problem.code) === 500 && problem.code !== 'schema-mismatch';
  return isInternal ? INTERNAL_PROBLEM : problem;
}
