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
import { noRows } from '../statement.js';
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
    answers,
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

function answers(connection: Connection): Promise<boolean> {
  return new Promise((resolve) => {
    const statement = { text: 'SELECT 1', parameters: [] };
    const end = (error: unknown): void => resolve(error === undefined);
    connection.send({ steps: [{ statement, rowsMax: 0, sink: noRows }], end });
    connection.flush();
  });
}
