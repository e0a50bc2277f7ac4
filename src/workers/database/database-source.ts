/** A source in one worker: its pool and the leases on its connections. */
import type { DialectName, Source as SchemaSource } from '../../engine/index.js';
import type { Cancellation } from '../cancellation.js';
import { withBackOff } from './back-off.js';
import type { Connection, TransactionDialect } from './connection.js';
import { Deadline } from './deadline.js';
import { Lease, type LeaseOwner } from './lease.js';
import { Pool } from './pool.js';
import type { SourceError } from './source-error.js';
import type { SourceSettings } from './source-settings.js';
import type { LeaseOptions, Readiness, Source } from './source.js';
import { unreachable } from './unreachable.js';

/** The operations that differ between databases. */
export interface Driver extends Pick<Source, 'idempotency' | 'describeParameters'> {
  readonly transactions: TransactionDialect;
  readonly explain?: LeaseOwner['explain'];
  /**
   * Whether a connection is closed after a long use: its temporary tables and settings go with it.
   */
  readonly endsLong: boolean;
  /** Opens a connection. */
  connect(): Promise<Connection>;
  /** The error for a connection that could not be opened. */
  errorOf(error: unknown): SourceError;
  /** Asks the database for its state on a connection, which is idle again afterwards. */
  readiness(connection: Connection): Promise<Readiness>;
  close?(): Promise<void>;
}

export class DatabaseSource implements Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly idempotency: Source['idempotency'];
  readonly describeParameters?: NonNullable<Source['describeParameters']>;
  readonly pool: Pool;
  readonly #driver: Driver;
  readonly #deadline: Deadline;
  /** What the database last reported. */
  #isReadOnly = false;
  #fault: SourceError | undefined;

  constructor({ name, dialect }: SchemaSource, driver: Driver, settings: SourceSettings) {
    this.name = name;
    this.dialect = dialect;
    this.idempotency = driver.idempotency;
    if (driver.describeParameters) this.describeParameters = driver.describeParameters;
    this.#driver = driver;
    this.#deadline = new Deadline(settings.statementTimeoutMs);
    this.pool = new Pool({
      connect: withBackOff(() => this.#connect()),
      connectionsMax: settings.connectionsPerSource,
      waitMs: settings.connectionWaitMs,
    });
  }

  get fault(): SourceError | undefined {
    return this.#fault;
  }

  async lease(cancellation: Cancellation, options: LeaseOptions = {}): Promise<Lease> {
    const { mode, isLong = false, isStreamed = isLong, comment } = options;
    const { transactions, explain, endsLong } = this.#driver;
    const { pool } = this;
    const connection = await (isStreamed
      ? pool.takeLong(cancellation, options)
      : pool.take(cancellation, options));
    const owner = {
      transactions,
      deadline: isLong ? unlimited : this.#deadline,
      isOnce: isLong || comment !== undefined,
      comment,
      explain,
      give: (own: Connection, isFit: boolean) => pool.give(own, isFit && !(isLong && endsLong)),
    };
    return new Lease(connection, owner, mode);
  }

  async ping(timeoutMs: number): Promise<Readiness> {
    const ask = async (connection: Connection): Promise<boolean> => {
      const readiness = await this.#driver.readiness(connection);
      this.#isReadOnly = readiness === 'read-only';
      return readiness !== 'away';
    };
    if (!(await this.pool.ask(ask, timeoutMs))) return 'away';
    return this.#isReadOnly ? 'read-only' : 'ready';
  }

  async close(): Promise<void> {
    this.#deadline.close();
    await this.pool.close();
    await this.#driver.close?.();
  }

  /**
   * Whatever fails while a connection is opened, including a wrong password, makes the source
   * unavailable.
   */
  async #connect(): Promise<Connection> {
    try {
      const connection = await this.#driver.connect();
      this.#fault = undefined;
      return connection;
    } catch (error) {
      this.#fault = unreachable(error, this.#driver.errorOf(error).sqlstate);
      throw this.#fault;
    }
  }
}

const unlimited = new Deadline(0);
