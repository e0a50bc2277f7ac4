/** Everything that the gateway reports: a closed union, which the logger and the metrics read. */

export type Observation =
  | {
      readonly kind: 'listening';
      readonly host?: string;
      readonly port?: number;
      /** The path of a UNIX socket. */
      readonly socket?: string;
      readonly server: string;
    }
  /** The port of monitoring, with `--admin-port`. */
  | {
      readonly kind: 'admin-listening';
      readonly host: string;
      readonly port: number;
      readonly server: string;
    }
  /** Other machines can send requests that need neither a key nor a token. */
  | { readonly kind: 'open-to-all'; readonly host: string }
  /** The file of API keys was read again. */
  | { readonly kind: 'keys-read'; readonly keys: number }
  /** It could not be read; the old keys stay in force. */
  | { readonly kind: 'keys-unreadable'; readonly cause: unknown }
  /** The keys that verify tokens could not be fetched. */
  | { readonly kind: 'jwks-unavailable'; readonly cause: unknown }
  /** No option has this environment variable; some have similar ones. */
  | {
      readonly kind: 'variable-misspelt';
      readonly variable: string;
      readonly similar: readonly string[];
    }
  /** How many connections all workers may open to each source. */
  | { readonly kind: 'connections'; readonly perSource: number }
  /** The server of a source allows fewer. */
  | {
      readonly kind: 'connections-scarce';
      readonly source: string;
      readonly connections: number;
      readonly allowed: number;
    }
  /** A member of `infrastructure.service` in the schema file, where lambdaorm-svc has options. */
  | { readonly kind: 'service-ignored'; readonly member: string }
  | { readonly kind: 'server-fallback'; readonly reason: string }
  | { readonly kind: 'request'; readonly request: RequestObservation }
  /** A request that took longer than --slow-ms; times in milliseconds. */
  | {
      readonly kind: 'slow-query';
      readonly requestId: string | undefined;
      readonly outcome: 'answered' | 'failed' | 'cancelled';
      readonly totalMs: number;
      readonly queueMs: number | undefined;
      readonly databaseMs: number | undefined;
      readonly rows: number | undefined;
      /** Several for a transaction. */
      readonly queries: readonly SlowQuery[];
    }
  /** Whether a source can be used has changed. */
  | {
      readonly kind: 'source-state';
      readonly source: string;
      readonly state: 'ready' | 'read-only' | 'exhausted' | 'away';
      readonly cause?: string | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'log-level'; readonly to: string }
  /** An import ignored members that the schema does not know, each of them this often. */
  | {
      readonly kind: 'import-ignored';
      readonly requestId: string;
      readonly stage: string;
      readonly ignored: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'worker-lost'; readonly cause: unknown; readonly retryMs: number }
  /** The number of further requests that are unanswered past their limits. */
  | { readonly kind: 'overdue'; readonly requests: number }
  /** A step of a listener in the schema that Rowgate does not run. */
  | {
      readonly kind: 'listener-idle';
      readonly listener: string;
      readonly phase: string;
      readonly call: string;
    }
  /** A difference between the schema and the tables of a source. */
  | {
      readonly kind: 'drift';
      readonly source: string;
      readonly place: string;
      readonly why: string;
    }
  /** The tables of the sources could not be compared with the schema. */
  | { readonly kind: 'drift-unknown'; readonly cause: unknown }
  /** A part of the database that a drafted schema leaves out, or maps with limits, such as a table without a key. */
  | { readonly kind: 'unmapped' | 'limited'; readonly place: string; readonly why: string }
  | { readonly kind: 'reloaded' }
  /** The schema did not load; the old one stays in force. */
  | { readonly kind: 'reload-failed'; readonly cause: unknown }
  /** A step of preparing the embedded database. */
  | { readonly kind: 'prepared'; readonly step: string }
  /** The last owner of the data folder was in another container: the start waits for it, at most `waitMs`. */
  | {
      readonly kind: 'database-awaited';
      readonly dataDirectory: string;
      readonly waitMs: number;
    }
  /** The embedded database ended by itself; it will be started again in `retryMs`. */
  | { readonly kind: 'database-lost'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'database-restarted'; readonly attempts: number }
  /** It will not be started again. */
  | { readonly kind: 'database-given-up'; readonly reason: string }
  | { readonly kind: 'draining'; readonly inFlight: number }
  | { readonly kind: 'stopped' };

export interface SlowQuery {
  readonly planId: number;
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
  /** The JSON text of the data, if it may be logged. */
  readonly parameters?: string | undefined;
}

/** Why a request failed. */
export interface RequestFailure {
  readonly code: string;
  readonly detail: string;
  /** For operators only: the message of a database, or the stack of an internal error. */
  readonly cause?: string | undefined;
  /** Set if the answer had begun: it was cut. */
  readonly isCut?: true;
}

/** One request and how it was answered; 499: the client disconnected. */
export interface RequestObservation {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The client's address; empty on a UNIX socket. */
  readonly address: string;
  readonly traceparent: string;
  /** The key or the token that it was sent with. */
  readonly principal?: string | undefined;
  readonly failure?: RequestFailure | undefined;
}

/**
 * Whether a failure concerns the operators: the server failed, was too busy, cut an answer, or has
 * a cause that the client does not get.
 */
export function concernsOperators(status: number, { cause, isCut }: RequestFailure): boolean {
  return status >= 500 || status === 429 || isCut === true || cause !== undefined;
}

export type Observe = (observation: Observation) => void;

/**
 * Receives observations. `observesRequests`: also one for every request, which has a cost; otherwise for
 * each failure that `concernsOperators`.
 */
export interface Observer {
  readonly observe: Observe;
  readonly observesRequests: boolean;
  /** Whether failures with this code are only counted for a while, because there are too many. Their details are not needed. */
  readonly onlyCounts?: (code: string) => boolean;
}
