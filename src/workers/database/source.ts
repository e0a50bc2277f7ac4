/** What the rest of a worker knows of a database. Nothing here belongs to one dialect. */
import type { DialectName } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import type { TransactionMode } from './connection.js';
import type { Lease } from './lease.js';
import type { Pool } from './pool.js';
import type { Statement } from './statement.js';

/** A database of the schema, as one worker reaches it. */
export interface Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly pool: Pool;
  /** What the database says of the types of a statement's placeholders; absent where it is not asked. */
  readonly describeParameters?: (lease: Lease, statement: Statement) => Promise<ParameterTypes>;
  readonly idempotency: IdempotencyStatements;
  /**
   * A connection for one request, which waits for it no longer than is configured; rejects with a
   * `SourceError`. Requests with the same `flow` are one of many that take turns. With a mode, all
   * that runs is one transaction.
   */
  lease(cancellation: Cancellation, options?: LeaseOptions): Promise<Lease>;
  /** What the database can do, if it answers within the time; never takes the last free connection. */
  ping(timeoutMs: number): Promise<Readiness>;
  /** Waits for the connections that are out, and closes all of them. */
  close(): Promise<void>;
}

/** Whether a database serves its tables; `read-only`: it does, but takes no writes, as a standby. */
export type Readiness = 'ready' | 'read-only' | 'away';

export interface LeaseOptions {
  readonly flow?: object;
  readonly mode?: TransactionMode;
  /** For work of any length, such as an export: only the server's own limit ends it. */
  readonly isLong?: boolean;
  /** For rows that are streamed: they hold a connection for as long as their reader takes. */
  readonly isStreamed?: boolean;
}

/** The types of a statement's placeholders, by their names in SQL. */
export interface ParameterTypes {
  readonly types: readonly string[];
  /** Whether some collation takes texts of other bytes for equal. */
  readonly hasLooseCollation: boolean;
}

/** The statements on the table of idempotency records: answers kept under the keys of their requests. */
export interface IdempotencyStatements {
  /** Make the table, if it is not there, in one transaction. */
  readonly create: readonly Statement[];
  /**
   * Inserts the key unless an answer is stored under it; waits until that is known. May return a row when
   * the key was inserted; otherwise `find` decides, which then finds no answer.
   */
  claim(key: string, fingerprint: string, keepMs: number): Statement;
  /** Returns the fingerprint and the answer under a key. */
  find(key: string): Statement;
  /** Stores the answer under a key that was taken. */
  keep(key: string, answer: string): Statement;
  /** Deletes a bounded number of expired records. */
  purge(keepMs: number): Statement;
  /** Whether a statement failed because the table is not there. */
  isMissing(error: unknown): boolean;
}
