/** The driver for MySQL and MariaDB databases. */
import type { Source } from '../../../engine/index.js';
import type { Connection } from '../connection.js';
import type { Driver } from '../database-source.js';
import type { SourceSettings } from '../source-settings.js';
import { fieldsOf } from '../statement.js';
import { CancelConnection } from './cancel-connection.js';
import { openClient } from './client.js';
import { type Interrupt, MysqlConnection } from './connection.js';
import { mysqlError } from './errors.js';
import { explainWrite } from './explain.js';
import { mysqlIdempotency } from './idempotency.js';
import { connectionOptions } from './options.js';
import { transactions } from './transactions.js';

export function mysqlDriver(source: Source, settings: SourceSettings): Driver {
  const { statementTimeoutMs, preparedStatements } = settings;
  const options = connectionOptions(source.connection, settings);
  const cancelConnection = new CancelConnection(options);
  const interrupt: Interrupt = (threadId) => cancelConnection.interrupt(threadId);
  return {
    idempotency: mysqlIdempotency,
    transactions,
    explain: explainWrite,
    endsLong: true,
    connect: async () => {
      const client = await openClient(options, statementTimeoutMs);
      return new MysqlConnection(client, interrupt, preparedStatements);
    },
    errorOf: mysqlError,
    answers: servesTables,
    close: () => cancelConnection.close(),
  };
}

const GALERA = ["SHOW VARIABLES LIKE 'wsrep_on'", "SHOW STATUS LIKE 'wsrep_ready'"];

/**
 * Whether tables can be used. A Galera node without a quorum answers only questions that need no
 * tables.
 */
function servesTables(connection: Connection): Promise<boolean> {
  return new Promise((resolve) => {
    const values: (string | null | undefined)[] = [];
    const row = (bytes: Buffer, start: number): void => {
      values.push(fieldsOf(bytes, start)[1]);
    };
    const sink = { keepsRows: false, row };
    const steps = GALERA.map((text) => ({ statement: { text, parameters: [] }, rowsMax: 0, sink }));
    // Without Galera, these variables do not exist, or the first one is off.
    const isReady = (): boolean => values[0] !== 'ON' || values[1] === 'ON';
    connection.send({ steps, end: (error) => resolve(error === undefined && isReady()) });
    connection.flush();
  });
}
