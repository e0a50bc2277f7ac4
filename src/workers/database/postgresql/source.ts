/** A PostgreSQL source of one worker. */
import type { Source as SchemaSource } from '../../../engine/index.js';
import { type Cancellation, createCancellation } from '../../cancellation.js';
import {
  type Connection,
  isolationNames,
  type TransactionDialect,
  type TransactionMode,
} from '../connection.js';
import { Deadline } from '../deadline.js';
import { Lease } from '../lease.js';
import { Pool, unavailable } from '../pool.js';
import type { SourceSettings } from '../source-settings.js';
import type { LeaseOptions, Source } from '../source.js';
import { fieldsOf, noRows, type RowSink } from '../statement.js';
import { DivertedClient, openStream } from './client.js';
import { PostgresqlConnection } from './connection.js';
import { describeParameters } from './describe-parameters.js';
import { postgresqlError } from './errors.js';
import { postgresqlIdempotency } from './idempotency.js';
import { clientOptions } from './options.js';

export class PostgresqlSource implements Source {
  readonly name: string;
  readonly dialect = 'PostgreSQL';
  readonly idempotency = postgresqlIdempotency;
  readonly describeParameters?: typeof describeParameters;
  readonly pool: Pool;
  readonly #deadline: Deadline;

  constructor(source: SchemaSource, settings: SourceSettings) {
    this.name = source.name;
    this.#deadline = new Deadline(settings.statementTimeoutMs);
    if (settings.preparedStatements) this.describeParameters = describeParameters;
    const options = { ...clientOptions(source.connection, settings), stream: openStream };
    this.pool = new Pool({
      connect: () => connect(new DivertedClient(options), settings.preparedStatements),
      connectionsMax: settings.connectionsPerSource,
      waitMs: settings.connectionWaitMs,
    });
  }

  async lease(cancellation: Cancellation, options: LeaseOptions = {}): Promise<Lease> {
    const { flow, mode, isLong = false } = options;
    const { pool } = this;
    const connection = await (isLong ? pool.takeLong(cancellation) : pool.take(cancellation, flow));
    const home = {
      transactions,
      deadline: isLong ? unlimited : this.#deadline,
      isOnce: isLong,
      give: (own: Connection, isFit: boolean) => pool.give(own, isFit),
    };
    return new Lease(connection, home, mode);
  }

  async missingTables(tables: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    const text = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL';
    const sink: RowSink = {
      keepsRows: false,
      row: (bytes, start) => {
        const [name] = fieldsOf(bytes, start);
        if (typeof name === 'string') missing.push(name);
      },
    };
    const lease = await this.lease(createCancellation());
    try {
      await lease.stream({ text, parameters: [textArray(tables)] }, 0, sink);
    } finally {
      lease.release();
    }
    return missing;
  }

  ping(timeoutMs: number): Promise<boolean> {
    return this.pool.ask(answers, timeoutMs);
  }

  async close(): Promise<void> {
    this.#deadline.close();
    await this.pool.close();
  }
}

const unlimited = new Deadline(0);

const transactions: TransactionDialect = {
  failsRunsWhole: true,
  begin: (mode) => [beginText(mode)],
};

function beginText(mode: TransactionMode | undefined): string {
  if (!mode) return 'BEGIN';
  const { isolation, readOnly } = mode;
  const level = isolation ? ` ISOLATION LEVEL ${isolationNames[isolation]}` : '';
  return `BEGIN${level}${readOnly ? ' READ ONLY' : ''}`;
}

async function connect(client: DivertedClient, keepsStatements: boolean): Promise<Connection> {
  try {
    await client.connect();
    return new PostgresqlConnection(client, keepsStatements);
  } catch (error) {
    client.connection.stream.destroy();
    throw unavailable(postgresqlError(error).sqlstate, error);
  }
}

function answers(connection: Connection): Promise<boolean> {
  return new Promise((resolve) => {
    const statement = { text: 'SELECT 1', parameters: [] };
    const end = (error: unknown): void => resolve(error === undefined);
    connection.send({ steps: [{ statement, rowsMax: 0, sink: noRows }], end });
    connection.flush();
  });
}

function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
