/** The driver for PostgreSQL databases. */
import type { Source } from '../../../engine/index.js';
import {
  type Connection,
  failureOf,
  isolationNames,
  type TransactionDialect,
  type TransactionMode,
} from '../connection.js';
import type { Driver, Readiness } from '../source.js';
import type { SourceSettings } from '../source-settings.js';
import { fieldsOf, plain } from '../statement.js';
import { connectClient } from './connect.js';
import { PostgresqlConnection } from './connection.js';
import { describeParameters } from './describe-parameters.js';
import { postgresqlError } from './errors.js';
import { explainWrite } from './explain.js';
import { postgresqlIdempotency } from './idempotency.js';
import { mergesWrites } from './statement-triggers.js';

export { connectTables } from './tables.js';

export function driverOf(source: Source, settings: SourceSettings): Driver {
  const { preparedStatements } = settings;
  return {
    idempotency: postgresqlIdempotency,
    ...(preparedStatements && { describeParameters }),
    transactions,
    mergesWrites,
    explain: explainWrite,
    endsLong: false,
    connect: async () =>
      new PostgresqlConnection(
        await connectClient(source.connection, settings),
        preparedStatements,
      ),
    errorOf: postgresqlError,
    readiness,
  };
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
async function readiness(connection: Connection): Promise<Readiness> {
  let isReadOnly = false;
  const row = (bytes: Buffer, start: number): void => {
    isReadOnly = fieldsOf(bytes, start)[0] === 'on';
  };
  const statement = plain('SHOW transaction_read_only');
  const failure = await failureOf(connection, [statement], { row });
  if (failure !== undefined) return 'away';
  return isReadOnly ? 'read-only' : 'ready';
}
