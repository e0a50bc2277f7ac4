/** A MySQL or MariaDB source of one worker. */
import type { ConnectionConfig } from 'mariadb';
import type { DialectName, Source as SchemaSource } from '../../../engine/index.js';
import { type Cancellation, createCancellation } from '../../cancellation.js';
import type { Connection } from '../connection.js';
import { Deadline } from '../deadline.js';
import { Lease } from '../lease.js';
import { Pool, unavailable } from '../pool.js';
import { SourceError } from '../source-error.js';
import type { SourceSettings } from '../source-settings.js';
import type { LeaseOptions, Source } from '../source.js';
import { fieldsOf, noRows } from '../statement.js';
import { CancelConnection } from './cancel-connection.js';
import { openClient } from './client.js';
import { type Interrupt, MysqlConnection } from './connection.js';
import { mysqlError } from './errors.js';
import { explainWrite } from './explain.js';
import { mysqlIdempotency } from './idempotency.js';
import { connectionOptions } from './options.js';
import { transactions } from './transactions.js';

export class MysqlSource implements Source {
  readonly name: string;
  readonly dialect: DialectName;
  readonly idempotency = mysqlIdempotency;
  readonly pool: Pool;
  readonly #deadline: Deadline;
  readonly #cancelConnection: CancelConnection;

  constructor(source: SchemaSource, settings: SourceSettings) {
    this.name = source.name;
    this.dialect = source.dialect;
    this.#deadline = new Deadline(settings.statementTimeoutMs);
    const options = connectionOptions(source.connection, settings);
    this.#cancelConnection = new CancelConnection(options);
    const interrupt: Interrupt = (threadId) => this.#cancelConnection.interrupt(threadId);
    this.pool = new Pool({
      connect: () => connect(options, interrupt, settings),
      connectionsMax: settings.connectionsPerSource,
      waitMs: settings.connectionWaitMs,
    });
  }

  /** A connection that work of any length has used ends with it, as do its temporary tables and settings. */
  async lease(cancellation: Cancellation, options: LeaseOptions = {}): Promise<Lease> {
    const { flow, mode, isLong = false } = options;
    const { pool } = this;
    const connection = await (isLong ? pool.takeLong(cancellation) : pool.take(cancellation, flow));
    const home = {
      transactions,
      deadline: isLong ? unlimited : this.#deadline,
      explain: explainWrite,
      give: (own: Connection, isFit: boolean) => pool.give(own, isFit && !isLong),
    };
    return new Lease(connection, home, mode);
  }

  async missingTables(tables: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    const lease = await this.lease(createCancellation());
    try {
      for (const table of tables) {
        const statement = { text: `SELECT 1 FROM ${table} LIMIT 0`, parameters: [] };
        const isThere = await lease.stream(statement, 0, noRows).then(() => true, isMissing);
        if (!isThere) missing.push(table);
      }
    } finally {
      lease.release();
    }
    return missing;
  }

  ping(timeoutMs: number): Promise<boolean> {
    return this.pool.ask(servesTables, timeoutMs);
  }

  async close(): Promise<void> {
    this.#deadline.close();
    await this.pool.close();
    await this.#cancelConnection.close();
  }
}

const unlimited = new Deadline(0);

/** Whatever fails while a connection is opened, the password included, the source cannot be used. */
async function connect(
  options: ConnectionConfig,
  interrupt: Interrupt,
  { statementTimeoutMs, preparedStatements }: SourceSettings,
): Promise<Connection> {
  try {
    const client = await openClient(options, statementTimeoutMs);
    return new MysqlConnection(client, interrupt, preparedStatements);
  } catch (error) {
    throw unavailable(mysqlError(error).sqlstate, error);
  }
}

const GALERA = ["SHOW VARIABLES LIKE 'wsrep_on'", "SHOW STATUS LIKE 'wsrep_ready'"];

/** A node of a Galera cluster that has lost its quorum answers what needs no tables, and nothing else. */
function servesTables(connection: Connection): Promise<boolean> {
  return new Promise((resolve) => {
    const values: (string | null | undefined)[] = [];
    const row = (bytes: Buffer, start: number): void => {
      values.push(fieldsOf(bytes, start)[1]);
    };
    const sink = { keepsRows: false, row };
    const steps = GALERA.map((text) => ({ statement: { text, parameters: [] }, rowsMax: 0, sink }));
    // Where there is no Galera, there are no such variables, or the first is off.
    const isReady = (): boolean => values[0] !== 'ON' || values[1] === 'ON';
    connection.send({ steps, end: (error) => resolve(error === undefined && isReady()) });
    connection.flush();
  });
}

function isMissing(error: unknown): false {
  if (error instanceof SourceError && error.code === 'schema-mismatch') return false;
  throw error;
}
