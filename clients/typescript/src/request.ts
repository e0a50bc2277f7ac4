/** Requests: one query with its data, which is sent when it is run. */
import type { Context } from './context.js';
import { type Problem, ProblemError } from './errors.js';
import { toJsonText } from './json.js';
import type { Reference } from './kinds.js';
import type { CallOptions } from './options.js';
import { readerOf } from './read-answer.js';
import { readLines } from './read-lines.js';
import { asConnectionError, problemIn, send, startLimit } from './send.js';

/** One query with its data. It is sent each time it is run, and can be a step of a transaction. */
export interface Request<T> {
  /** The text of the query. It does not depend on the values in the data. */
  readonly query: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Sends the query. Rejects with a `RowgateError`, or with the reason of an aborted signal. */
  run(options?: CallOptions): Promise<T>;
  /** A reference to a value in this answer, for a later step of the same transaction. */
  ref<A extends keyof Some<T>>(first: A): Reference<Some<Some<T>[A]>>;
  ref<A extends keyof Some<T>, B extends keyof Some<Some<T>[A]>>(
    first: A,
    second: B,
  ): Reference<Some<Some<Some<T>[A]>[B]>>;
}

type Some<T> = NonNullable<T>;

/** A query whose answer is a list of rows. */
export interface RowsRequest<Row> extends Request<Row[]> {
  /** Runs the query, and resolves to its rows and the information in the headers of the answer. */
  answer(options?: AnswerOptions): Promise<Answer<Row>>;
  /** The rows as they arrive. Leaving the loop cancels the statement; `timeoutMs` limits the wait for the first. */
  stream(options?: CallOptions): AsyncGenerator<Row, void, undefined>;
}

export interface AnswerOptions extends CallOptions {
  /** Whether to count all rows that the query has without its page. */
  readonly count?: boolean | undefined;
}

export interface Answer<Row> {
  readonly rows: Row[];
  /** The number of all rows, if they were counted. */
  readonly total: number | undefined;
  /** The cursor of the next page of a query with `after`; undefined after the last page. */
  readonly next: string | undefined;
  /** Set if the rows of a page are not sorted uniquely. */
  readonly warning: string | undefined;
  readonly requestId: string | undefined;
}

/** What a request consists of inside the client. */
export interface Parts<T> {
  readonly query: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly writes: boolean;
  /** Turns the parsed answer into the result. */
  readonly read: (answer: unknown) => T;
  /** The path from the answer to the result, for references to it. */
  readonly path: readonly (string | number)[];
}

/**
 * A value from the answer of another request, whose step is determined when the transaction is
 * sent.
 */
export class StepReference {
  readonly request: object;
  readonly path: string;

  constructor(request: object, path: string) {
    this.request = request;
    this.path = path;
  }
}

const parts = new WeakMap<object, Parts<unknown>>();

/** The parts of a request that this client made. */
export function partsOf(request: object): Parts<unknown> {
  const found = parts.get(request);
  if (!found)
    throw new TypeError('A step of a transaction must be a request that has not been run.');
  return found;
}

/** Creates a request; `more` are additional members of the object. */
export function createRequest<T, More extends object>(
  context: Context,
  made: Parts<T>,
  more: More,
): Request<T> & More {
  const { query, data, path } = made;
  const request = {
    query,
    data,
    run: (options: CallOptions = {}) => run(context, made, options),
    ref: (...names: readonly PropertyKey[]) =>
      new StepReference(request, [...path, ...names].join('.')) as never,
    ...more,
  };
  parts.set(request, made);
  return request;
}

/** The additional members of a request for rows. */
export function rowsMembers<Row>(context: Context, made: Parts<Row[]>) {
  return {
    answer: (options: AnswerOptions = {}) => answer(context, made, options),
    stream: (options: CallOptions = {}) => stream<Row>(context, made, options),
  };
}

/** An answer as a list. */
export function listOf(answer: unknown): unknown[] {
  return Array.isArray(answer) ? answer : [answer];
}

async function run<T>(context: Context, made: Parts<T>, options: CallOptions): Promise<T> {
  if (context.gather && options.idempotencyKey === undefined) {
    const sending = sendingOf(context, made, options);
    const limit = startLimit(context.options, options);
    try {
      const reader = await readerOf(context, made.query, options, limit);
      const parsed = await context.gather({ ...sending, limit }, options);
      return made.read(await reader.finish(parsed));
    } finally {
      limit.end();
    }
  }
  const { value } = await execute(context, made, options);
  return value;
}

async function answer<Row>(
  context: Context,
  made: Parts<Row[]>,
  options: AnswerOptions,
): Promise<Answer<Row>> {
  const { value, headers } = await execute(context, made, options);
  const total = headers.get('x-total-count');
  const [, next] = /rel="next"; cursor="([^"]*)"/.exec(headers.get('link') ?? '') ?? [];
  return {
    rows: value,
    total: total === null ? undefined : Number(total),
    next,
    warning: headers.get('rowgate-warning') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
}

async function execute<T>(context: Context, made: Parts<T>, options: AnswerOptions) {
  const sending = { ...sendingOf(context, made, options), accept: 'application/json' };
  const limit = startLimit(context.options, options);
  try {
    const reader = await readerOf(context, made.query, options, limit);
    return await send(context.options, options, { ...sending, limit }, async (response) => ({
      value: made.read(await reader.read(await response.text())),
      headers: response.headers,
    }));
  } finally {
    limit.end();
  }
}

async function* stream<Row>(
  context: Context,
  made: Parts<Row[]>,
  options: CallOptions,
): AsyncGenerator<Row, void, undefined> {
  const sending = { ...sendingOf(context, made, options), accept: 'application/x-ndjson' };
  const limit = startLimit(context.options, options);
  try {
    const reader = await readerOf(context, made.query, options, limit);
    const { body } = await send(context.options, options, { ...sending, limit }, (response) =>
      Promise.resolve(response),
    );
    limit.stopClock();
    if (!body) return;
    let held: { readonly row: unknown; readonly problem: Problem } | undefined;
    for await (const line of readLines(body)) {
      if (held) yield held.row as Row;
      const row = await reader.read(line);
      const problem = lastError(row);
      held = problem && { row, problem };
      if (!held) yield row as Row;
    }
    if (held) throw new ProblemError(held.problem);
  } catch (error) {
    throw limit.reasonOf(asConnectionError(error));
  } finally {
    limit.end();
  }
}

/** The problem in the last line of a stream that failed: `{"error": …}`. An earlier line is a row. */
function lastError(row: unknown) {
  if (typeof row !== 'object' || row === null || !('error' in row)) return undefined;
  return Object.keys(row).length === 1 ? problemIn(row.error) : undefined;
}

/** Throws a TypeError for data that cannot be sent. */
function sendingOf(
  { options: client }: Context,
  { query, data, writes }: Parts<unknown>,
  { stage = client.stage, view = client.view, count, idempotencyKey }: AnswerOptions,
) {
  return {
    path: 'execute',
    body: toJsonText({ query, data, options: { stage, view, count } }, refuseReference),
    isRepeatable: !writes || idempotencyKey !== undefined,
  };
}

function refuseReference(value: unknown): unknown {
  if (!(value instanceof StepReference)) return value;
  throw new TypeError('ref() refers to an earlier step of the same transaction.');
}
