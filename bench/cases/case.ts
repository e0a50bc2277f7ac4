/** What a case is: requests, and how to know that they are answered rightly. */
import type { CaseName } from '../options.js';

/** The kind of server that takes part. */
export type ContestantName =
  | 'rowgate'
  | 'fastify-pg'
  | 'fastify-mariadb'
  | 'uws-constant'
  | 'bare-lanes'
  | 'pg-cursor'
  | PeerName;

/** Servers on packages that are installed apart; only with `--peers`. */
export type PeerName = 'lambdaorm-express' | 'postgraphile';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON; empty for GET. */
  readonly body: string;
}

export interface BenchCase {
  readonly name: CaseName;
  readonly title: string;
  readonly contestants: readonly ContestantName[];
  /** The requests of a measurement; load generators send them over and over, in this order. */
  readonly requests: readonly HttpRequest[];
  /** Requests to check before anything is timed, with the right answers. */
  readonly checks: readonly Check[];
}

/** A request, and what its answer must be. */
export interface Check {
  readonly request: HttpRequest;
  /** The JSON value that the answer must have; or a judgement of it. */
  readonly expected: unknown;
  /** Turns an answer into what `expected` is compared with; absent: the answer as it is. */
  readonly project?: (answer: unknown) => unknown;
}

/** A POST of an expression, with its data as JSON text, as the interface has it. */
export function queryRequest(path: string, query: string, data?: unknown): HttpRequest {
  const body = data === undefined ? { query } : { query, data: JSON.stringify(data) };
  return { method: 'POST', path, body: JSON.stringify(body) };
}
