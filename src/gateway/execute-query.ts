/** Executes a query for the program around the gateway, as `POST /execute` does for a client. */
import type { Problem } from '../engine/index.js';
import { DRAINING } from './dispatcher/problems.js';
import type { Failure } from './dispatcher/sinks.js';
import { Refusal, statusOf } from './errors.js';
import { noTotal, type QueryRequest, readQuery } from './query-request.js';
import type { Service } from './service.js';
import type { PlannedRequest } from './shared-plans.js';

/** The body of `POST /execute`. */
export interface Query {
  readonly query: string;
  /** The values of the parameters: an object, or its JSON text. */
  readonly data?: object | string;
  readonly options?: { readonly stage?: string; readonly view?: string };
}

/** A query that failed. The message is the problem's detail. */
export class QueryError extends Error {
  /** The HTTP status with which `POST /execute` would answer. */
  readonly status: number;
  /** The problem: its code and, if known, the position, the hint and the database's SQLSTATE. */
  readonly problem: Problem;

  constructor(problem: Problem, stack?: string) {
    super(problem.detail, stack === undefined ? {} : { cause: stack });
    this.name = 'QueryError';
    this.status = statusOf(problem.code);
    this.problem = problem;
  }
}

/** Resolves to the parsed JSON of the answer. Rejects with a QueryError. */
export async function executeQuery(service: Service, query: Query): Promise<unknown> {
  // Otherwise a program that goes on sending queries would keep `close` waiting.
  if (service.isRefusing()) throw new QueryError(DRAINING);
  const { open } = service;
  open.count += 1;
  try {
    const request = readRequest(service, query);
    const planned = await obtainPlan(service, request);
    const pieces = await execute(service, planned);
    return JSON.parse(Buffer.concat(pieces).toString());
  } finally {
    open.ended();
  }
}

function readRequest({ configuration, catalog }: Service, query: Query): QueryRequest {
  const object = { value: { ...query }, exact: undefined };
  try {
    const request = readQuery(object, configuration, { catalog });
    if (request.total) throw noTotal('execute()');
    return request;
  } catch (cause) {
    throw cause instanceof Refusal ? new QueryError(cause.problem) : cause;
  }
}

function obtainPlan({ sharedPlans }: Service, request: QueryRequest): Promise<PlannedRequest> {
  const known = sharedPlans.find(request);
  if (known) return Promise.resolve(known);
  return new Promise((resolve, reject) => {
    sharedPlans.obtain(request, {
      planned: (entry, planned) => resolve({ entry, request: planned }),
      failed: rejectWith(reject),
    });
  });
}

function execute(
  { dispatcher }: Service,
  { entry, request: { data } }: PlannedRequest,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  return new Promise((resolve, reject) => {
    const id = dispatcher.execute(
      { entry, data, form: 'compact' },
      {
        whole: (bytes) => resolve([bytes.slice()]),
        part: (bytes, last) => {
          pieces.push(bytes);
          if (last) resolve(pieces);
          else dispatcher.credit(id, bytes.byteLength);
        },
        failed: rejectWith(reject),
      },
    );
  });
}

function rejectWith(reject: (error: QueryError) => void) {
  return ({ problem, stack }: Failure): void => reject(new QueryError(problem, stack));
}
