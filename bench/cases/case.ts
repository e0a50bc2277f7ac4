/** A case: its requests, and how to check the answers. */
import type { BenchQuery } from '../mixes/queries.js';
import type { CaseName } from '../options.js';

/** The kinds of servers; `before` is another commit of Rowgate. */
export type ContestantName =
  | 'rowgate'
  | 'before'
  | 'fastify-pg'
  | 'fastify-mariadb'
  | 'uws-constant'
  | 'bare-batcher'
  | 'pg-cursor'
  | PeerName;

/** Servers whose packages are installed separately; measured only with `--peers`. */
export type PeerName = 'lambdaorm-express' | 'postgraphile';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON; empty for a GET request. */
  readonly body: string;
}

/** Sends a request and returns the parsed answer. Rejects unless the status is 200. */
export type Ask = (request: HttpRequest) => Promise<unknown>;

export interface BenchCase {
  readonly name: CaseName;
  readonly contestants: readonly ContestantName[];
  /** The requests of a measurement, which load generators repeat in this order. */
  readonly requests: readonly HttpRequest[];
  /** Checks the answers of a server before it is measured. Rejects at the first wrong one. */
  readonly check: (ask: Ask) => Promise<void>;
  /** The number of requests that Rowgate gets in one list; other servers get them one by one. */
  readonly listSize?: number;
  /** The scripts of pgbench, each run equally often; if absent, pgbench is not measured. */
  readonly pgbench?: readonly BenchQuery[];
}

/** A POST request with an expression and its data as JSON text, as the interface defines it. */
export function queryRequest(path: string, query: string, data?: unknown): HttpRequest {
  const body = data === undefined ? { query } : { query, data: JSON.stringify(data) };
  return { method: 'POST', path, body: JSON.stringify(body) };
}
