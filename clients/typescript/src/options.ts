/** The options of a client and of a call. */

export interface ClientOptions {
  /** The address of the gateway, such as `http://127.0.0.1:9291`. */
  readonly url: string | URL;
  /** An API key or a token, or a function that gives it for each request. */
  readonly key?: string | (() => string | Promise<string>);
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly stage?: string;
  readonly view?: string;
  /** The time limit of a call with its retries; 0: none. By default 60,000. */
  readonly timeoutMs?: number;
  /** How often a call is sent again at most, where that is safe. By default 2. */
  readonly retries?: number;
  /** Whether calls of one turn of the event loop are sent as one request, up to 1,000 together. */
  readonly batch?: boolean;
  /** Another `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Aborting it cancels the statement in the database; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** With a key, a write can be sent again safely: it is executed once (docs/writes.md). */
  readonly idempotencyKey?: string;
  readonly stage?: string;
  readonly view?: string;
}

export interface TransactionOptions extends CallOptions {
  readonly isolation?: 'readCommitted' | 'repeatableRead' | 'serializable';
  readonly readOnly?: boolean;
}
