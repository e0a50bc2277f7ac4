/** A source in one worker. What differs between databases is in its driver. */
import type { DialectName, Source as SchemaSource } from '../../engine/index.js';
import { type Cancellation, createCancellation } from '../cancellation.js';
import { withBackOff } from './back-off.js';
import type { Connection, TransactionDialect, TransactionMode } from './connection.js';
import { Deadline } from './deadline.js';
import { type FailedWrite, Lease } from './lease.js';
import { Pool, type TakeOptions } from './pool.js';
import { SourceError } from './source-error.js';
import type { SourceSettings } from './source-settings.js';
import type { Statement } from './statement.js';
import { unreachable } from './unreachable.js';

/** The operations that differ between databases. */
export interface Driver {
  readonly idempotency: IdempotencyStatements;
  /** The types of a statement's placeholders; absent for databases that cannot tell. */
  readonly describeParameters?: (lease: Lease, statement: Statement) => Promise<ParameterTypes>;
  readonly transactions: TransactionDialect;
  /**
   * Whether a rollback undoes writes to a table; undefined if there is no such table. Absent for databases that undo
   * all writes.
   */
  readonly rollsBack?: (lease: Lease, table: StoredTable) => Promise<boolean | undefined>;
  /** Whether writes to a table, given as SQL, can share a statement. Absent if none can. */
  readonly mergesWrites?: (lease: Lease, table: string) => Promise<boolean>;
  /** Finds out more about a failed write, such as its row and key. Called before the rollback, or rolls back itself. */
  explain(lease: Lease, error: unknown, failed: FailedWrite): Promise<unknown>;
  /** Whether a connection is closed after long work, to get rid of its temporary tables and settings. */
  readonly endsLong: boolean;
  connect(): Promise<Connection>;
  /** The error for a connection that could not be opened. */
  errorOf(error: unknown): SourceError;
  /** Asks the database for its state on a connection, which is idle again afterwards. */
  readiness(connection: Connection): Promise<Readiness>;
  close?(): Promise<void>;
}

/** A database of the schema, as one worker uses it: its pool, and the leases on its connections. */
export class Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly driver: Driver;
  readonly pool: Pool;
  readonly #deadline: Deadline;
  readonly #closing = createCancellation();
  /** What the database last reported. */
  #isReadOnly = false;
  #fault: SourceError | undefined;

  constructor({ name, dialect }: SchemaSource, driver: Driver, settings: SourceSettings) {
    this.name = name;
    this.dialect = dialect;
    this.driver = driver;
    this.#deadline = new Deadline(settings.statementTimeoutMs);
    this.pool = new Pool({
      connect: withBackOff(() => this.#connect()),
      connectionsMax: settings.connectionsPerSource,
      waitMs: settings.connectionWaitMs,
    });
  }

  /** Cancels the work for which nobody waits when the source is closed. */
  get closing(): Cancellation {
    return this.#closing;
  }

  /** Why the last attempt to connect failed; undefined if it succeeded. */
  get fault(): SourceError | undefined {
    return this.#fault;
  }

  /**
   * Leases a connection for one request, which waits no longer than configured. Rejects with a
   * `SourceError`. With a mode, everything that runs on the lease is one transaction.
   */
  async lease(cancellation: Cancellation, options: LeaseOptions = {}): Promise<Lease> {
    const { mode, isLong = false, isStreamed = isLong, comment } = options;
    const { driver, pool } = this;
    const connection = await (isStreamed
      ? pool.takeLong(cancellation, options)
      : pool.take(cancellation, options));
    const owner = {
      driver,
      deadline: isLong ? unlimited : this.#deadline,
      isOnce: isLong || comment !== undefined,
      comment,
      give: (own: Connection, isFit: boolean) =>
        pool.give(own, isFit && !(isLong && driver.endsLong)),
    };
    return new Lease(connection, owner, mode);
  }

  /** Does work on a {@link lease}, which a cancellation stops, and which is released at the end. */
  async withLease<Result>(
    cancellation: Cancellation,
    options: LeaseOptions,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    const lease = await this.lease(cancellation, options);
    const forget = cancellation.onCancel(() => lease.cancel());
    try {
      if (cancellation.isCancelled) throw new SourceError('cancelled');
      return await work(lease);
    } finally {
      forget();
      lease.release();
    }
  }

  /** `away` if the database does not answer in time. Never takes the last free connection. */
  async ping(timeoutMs: number): Promise<Readiness> {
    const ask = async (connection: Connection): Promise<boolean> => {
      const readiness = await this.driver.readiness(connection);
      this.#isReadOnly = readiness === 'read-only';
      return readiness !== 'away';
    };
    if (!(await this.pool.ask(ask, timeoutMs))) return 'away';
    return this.#isReadOnly ? 'read-only' : 'ready';
  }

  /** Waits for all leased connections and closes them. */
  async close(): Promise<void> {
    this.#deadline.close();
    this.#closing.cancel();
    await this.pool.close();
    await this.driver.close?.();
  }

  /** Whatever fails, including a wrong password, makes the source unavailable. */
  async #connect(): Promise<Connection> {
    try {
      const connection = await this.driver.connect();
      this.#fault = undefined;
      return connection;
    } catch (error) {
      this.#fault = unreachable(error, this.driver.errorOf(error).sqlstate);
      throw this.#fault;
    }
  }
}

const unlimited = new Deadline(0);

/** `read-only`: the database does not accept writes, for example on a standby. */
export type Readiness = 'ready' | 'read-only' | 'away';

export interface LeaseOptions extends TakeOptions {
  readonly mode?: TransactionMode;
  /** For work of any length, such as an export: only the server's own limit ends it. */
  readonly isLong?: boolean;
  /** For streamed rows, which hold a connection as long as their client reads. */
  readonly isStreamed?: boolean;
  /** A comment that ends all statements, which are then not prepared. */
  readonly comment?: string | undefined;
}

/** A table by its stored names. */
export interface StoredTable {
  /** Undefined if it is the connection's own. */
  readonly schema?: string | undefined;
  readonly table: string;
}

/** The types of a statement's placeholders, by their names in SQL. */
export interface ParameterTypes {
  readonly types: readonly string[];
  /** Whether some collation considers different texts equal. */
  readonly hasLooseCollation: boolean;
}

/** The statements on the table of idempotency records. */
export interface IdempotencyStatements {
  /** Create the table if it is missing. They must run in one transaction. */
  readonly create: readonly Statement[];
  /**
   * Claims the key, unless a record that has not expired has it. Waits for another transaction that has claimed it.
   * If a row is returned, the key is claimed; otherwise it is claimed if `find` returns no answer.
   */
  claim(key: string, fingerprint: string, keepMs: number): Statement;
  /** Returns the fingerprint and the answer of a key. */
  find(key: string): Statement;
  /** Stores the answer of a claimed key. */
  keep(key: string, answer: string): Statement;
  /** Locks expired records, and returns their keys; without those that somebody has locked. */
  lockExpired(keepMs: number, rowsMax: number): Statement;
  remove(keys: readonly string[]): Statement;
  /** The SQLSTATE of a statement whose table is missing. */
  readonly missingTable: string;
}
