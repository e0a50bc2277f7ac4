/** Everything that the gateway has to tell: a closed union, which the logger and metrics read. */

export type Observation =
  | {
      readonly kind: 'listening';
      readonly host: string;
      readonly port: number;
      readonly server: string;
    }
  | { readonly kind: 'server-fallback'; readonly reason: string }
  | { readonly kind: 'request'; readonly request: RequestObservation }
  /** A fault of ours: answered 500, or after the first byte by a cut connection. */
  | {
      readonly kind: 'request-fault';
      readonly requestId: string;
      readonly code: string;
      readonly detail: string;
      readonly stack: string | undefined;
    }
  /** A streamed answer that could not be finished. */
  | {
      readonly kind: 'answer-broken';
      readonly requestId: string;
      readonly code: string;
      readonly detail: string;
    }
  /** Members of an import that the schema does not know were left out, so many of each. */
  | {
      readonly kind: 'import-ignored';
      readonly requestId: string;
      readonly stage: string;
      readonly ignored: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'worker-lost'; readonly cause: unknown; readonly retryMs: number }
  | { readonly kind: 'worker-error'; readonly cause: unknown }
  /** A listener's step that does nothing here, though the schema has it. */
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
  /** Something of the database that a schema made of it leaves out. */
  | { readonly kind: 'unmapped'; readonly place: string; readonly why: string }
  | { readonly kind: 'reloaded' }
  /** The schema did not load: the old one stays in force. */
  | { readonly kind: 'reload-failed'; readonly cause: unknown }
  /** A step of making the embedded database ready. */
  | { readonly kind: 'prepared'; readonly step: string }
  /** The embedded database ended by itself; the next attempt to start it is in `retryMs`. */
  | { readonly kind: 'database-lost'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'database-restarted'; readonly attempts: number }
  /** It will not be started again. */
  | { readonly kind: 'database-given-up'; readonly reason: string }
  | { readonly kind: 'draining'; readonly inFlight: number }
  | { readonly kind: 'stopped' };

/** One request and how it was answered; 499: the client went away. */
export interface RequestObservation {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  readonly traceparent: string;
}

export type Observe = (observation: Observation) => void;

/** Who is told, and whether of every request, too: that costs. */
export interface Observer {
  readonly observe: Observe;
  readonly observesRequests: boolean;
}
