/** The driver for PostgreSQL databases. */
import type { Source } from '../../../engine/index.js';
import {
  type Connection,
  isolationNames,
  type TransactionDialect,
  type TransactionMode,
} from '../connection.js';
import type { Driver } from '../database-source.js';
import type { SourceSettings } from '../source-settings.js';
import type { Readiness } from '../source.js';
import { fieldsOf, plain } from '../statement.js';
import { DivertedClient, openStream } from './client.js';
import { PostgresqlConnection } from './connection.js';
import { describeParameters } from './describe-parameters.js';
import { postgresqlError } from './errors.js';
import { postgresqlIdempotency } from './idempotency.js';
import { clientOptions } from './options.js';

export function postgresqlDriver(source: Source, settings: SourceSettings): Driver {
  const { preparedStatements } = settings;
  const options = { ...clientOptions(source.connection, settings), stream: openStream };
  return {
    idempotency: postgresqlIdempotency,
    ...(preparedStatements && { describeParameters }),
    transactions,
    endsLong: false,
    connect: () => connect(new DivertedClient(options), preparedStatements),
    errorOf: postgresqlError,
    readiness,
  };
}

async function connect(client: DivertedClient, keepsStatements: boolean): Promise<Connection> {
  try {
    await client.connect();
    return new PostgresqlConnection(client, keepsStatements);
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  }
}

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

/** Whether the database is ready. On a standby, every transaction is read-only. */
function readiness(connection: Connection): Promise<Readiness> {
  return new Promise((resolve) => {
    let isReadOnly = false;
    const row = (bytes: Buffer, start: number): void => {
      isReadOnly = fieldsOf(bytes, start)[0] === 'on';
    };
    const statement = plain('SHOW transaction_read_only');
    const end = (error: unknown): void => {
      if (error === undefined) resolve(isReadOnly ? 'read-only' : 'ready');
      else resolve('away');
    };
    connection.send({ steps: [{ statement, rowsMax: 0, sink: { keepsRows: false, row } }], end });
    connection.flush();
  });
}
