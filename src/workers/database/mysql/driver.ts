/** The driver for MySQL and MariaDB databases. */
import type { Source } from '../../../engine/index.js';
import { type Connection, failureOf } from '../connection.js';
import type { Driver, Readiness } from '../source.js';
import type { SourceSettings } from '../source-settings.js';
import { SourceError } from '../source-error.js';
import { fieldsOf, noRows, plain } from '../statement.js';
import { CancelConnection } from './cancel-connection.js';
import { openClient } from './client.js';
import { MysqlConnection } from './connection.js';
import { rollsBack } from './engines.js';
import { mysqlError } from './errors.js';
import { explainWrite } from './explain.js';
import { mysqlIdempotency } from './idempotency.js';
import { connectionOptions } from './options.js';
import { transactions } from './transactions.js';

export { connectTables } from './tables.js';

export function driverOf(source: Source, settings: SourceSettings): Driver {
  const { statementTimeoutMs, preparedStatements } = settings;
  const options = connectionOptions(source.connection, settings);
  const cancelConnection = new CancelConnection(options);
  return {
    idempotency: mysqlIdempotency,
    transactions,
    rollsBack,
    explain: explainWrite,
    endsLong: true,
    connect: async () => {
      const client = await openClient(options, statementTimeoutMs);
      return new MysqlConnection(client, cancelConnection, preparedStatements);
    },
    errorOf: mysqlError,
    readiness,
    close: () => cancelConnection.close(),
  };
}

const GALERA = [plain("SHOW VARIABLES LIKE 'wsrep_on'"), plain("SHOW STATUS LIKE 'wsrep_ready'")];
/** The server refuses these where this user may not write. */
const WRITES = ['START TRANSACTION READ WRITE', 'ROLLBACK'].map((text) => ({
  ...plain(text),
  isCommand: true,
}));

/** A Galera node without a quorum answers only statements that need no tables. */
async function readiness(connection: Connection): Promise<Readiness> {
  const values: (string | null | undefined)[] = [];
  const row = (bytes: Buffer, start: number): void => {
    values.push(fieldsOf(bytes, start)[1]);
  };
  const fault = await failureOf(connection, GALERA, { row });
  // Without Galera, these variables do not exist, or the first one is off.
  const isMember = values[0] !== 'ON' || values[1] === 'ON';
  if (fault !== undefined || !isMember) return 'away';
  const refusal = await failureOf(connection, WRITES, noRows);
  if (refusal === undefined) return 'ready';
  const isReadOnly = refusal instanceof SourceError && refusal.code === 'write-in-read-only';
  return isReadOnly ? 'read-only' : 'away';
}
