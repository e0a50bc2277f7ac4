/** What a case is: requests, and how to know that they are answered rightly. */
import type { BenchQuery } from '../mixes/queries.js';
import type { CaseName } from '../options.js';

/** The kind of server that takes part; `before` is another commit of Rowgate. */
export type ContestantName =
  | 'rowgate'
  | 'before'
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

/** Sends a request, and gives the value of its JSON answer; rejects unless the status is 200. */
export type Ask = (request: HttpRequest) => Promise<unknown>;

export interface BenchCase {
  readonly name: CaseName;
  readonly contestants: readonly ContestantName[];
  /** The requests of a measurement; load generators send them over and over, in this order. */
  readonly requests: readonly HttpRequest[];
  /** Asks a contestant before anything is timed; rejects at the first answer that is wrong. */
  readonly check: (ask: Ask) => Promise<void>;
  /** How many of the requests Rowgate is sent in one list; others are sent them singly. */
  readonly listSize?: number;
  /** What pgbench asks, evenly; absent: it takes no part. */
  readonly pgbench?: readonly BenchQuery[];
}

/** A POST of an expression, with its data as JSON text, as the interface has it. */
export function queryRequest(path: string, query: string, data?: unknown): HttpRequest {
  const body = data === undefined ? { query } : { query, data: JSON.stringify(data) };
  return { method: 'POST', path, body: JSON.stringify(body) };
}
