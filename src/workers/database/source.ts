/** The interface of a database for the rest of a worker. Nothing here depends on a dialect. */
import type { DialectName } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import type { TransactionMode } from './connection.js';
import type { Lease } from './lease.js';
import type { Pool } from './pool.js';
import type { SourceError } from './source-error.js';
import type { Statement } from './statement.js';

/** A database of the schema, as one worker uses it. */
export interface Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly pool: Pool;
  /**
   * Asks the database for the types of a statement's placeholders; absent for databases that cannot
   * tell.
   */
  readonly describeParameters?: (lease: Lease, statement: Statement) => Promise<ParameterTypes>;
  readonly idempotency: IdempotencyStatements;
  /**
   * Leases a connection for one request, which waits no longer than configured. Rejects with a
   * `SourceError`. Requests with the same `flow` form a queue, and the queues take turns. With a mode,
   * everything that runs on the lease is one transaction.
   */
  lease(cancellation: Cancellation, options?: LeaseOptions): Promise<Lease>;
  /**
   * The state of the database, if it answers in time; otherwise `away`. Never takes the last free
   * connection.
   */
  ping(timeoutMs: number): Promise<Readiness>;
  /** Why the last attempt to connect failed; undefined if it succeeded. */
  readonly fault: SourceError | undefined;
  /** Waits for all leased connections and closes them. */
  close(): Promise<void>;
}

/**
 * Whether a database serves its tables. `read-only`: it does, but does not accept writes, for example
 * on a standby.
 */
export type Readiness = 'ready' | 'read-only' | 'away';

export interface LeaseOptions {
  readonly flow?: object;
  readonly mode?: TransactionMode;
  /** For work of any length, such as an export: only the server's own limit ends it. */
  readonly isLong?: boolean;
  /** For streamed rows, which hold a connection as long as their client reads. */
  readonly isStreamed?: boolean;
  /** Whether the connection is opened for it, because one that was idle may have died unnoticed. */
  readonly isFresh?: boolean;
  /** A comment for all statements, none of which is prepared then. */
  readonly comment?: string | undefined;
}

/** The types of a statement's placeholders, by their names in SQL. */
export interface ParameterTypes {
  readonly types: readonly string[];
  /** Whether some collation considers different texts equal. */
  readonly hasLooseCollation: boolean;
}

/** The statements on the table of idempotency records. */
export interface IdempotencyStatements {
  /** Create the table if it is missing, in one transaction. */
  readonly create: readonly Statement[];
  /**
   * Inserts the key unless it has an answer, and waits until that is known. If it returns a row,
   * the key was inserted; otherwise `find` decides.
   */
  claim(key: string, fingerprint: string, keepMs: number): Statement;
  /** Returns the fingerprint and the answer of a key. */
  find(key: string): Statement;
  /** Stores the answer of a claimed key. */
  keep(key: string, answer: string): Statement;
  /** Deletes expired records, up to a limit. */
  purge(keepMs: number): Statement;
  /** Whether a statement failed because the table is missing. */
  isMissing(error: unknown): boolean;
}
