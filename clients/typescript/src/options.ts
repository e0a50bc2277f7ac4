/** The options of a client and of a call. */

export interface ClientOptions {
  /** The address of the gateway, such as `http://127.0.0.1:9291`. */
  readonly url: string | URL;
  /** An API key or a token, or a function that returns it for each request. */
  readonly key?: string | (() => string | Promise<string>) | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly stage?: string | undefined;
  readonly view?: string | undefined;
  /** The time limit of a call with its retries; 0, or more than 2^31 − 1: none. By default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of times that a call is sent again, if that is safe. By default 2. */
  readonly retries?: number | undefined;
  /** Whether calls made in one event-loop iteration are sent as one request, up to 1,000 together, or as many as the gateway accepts. */
  readonly batch?: boolean | undefined;
  /** Another `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /**
   * Aborting it cancels the statement in the database; the call rejects with the signal's reason. A batch is cancelled
   * once all of its unanswered calls are aborted.
   */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  /** With a key, a write can be sent again safely: it is executed once (docs/writes.md). */
  readonly idempotencyKey?: string | undefined;
  readonly stage?: string | undefined;
  readonly view?: string | undefined;
}

export interface TransactionOptions extends CallOptions {
  readonly isolation?: 'readCommitted' | 'repeatableRead' | 'serializable' | undefined;
  readonly readOnly?: boolean | undefined;
}
