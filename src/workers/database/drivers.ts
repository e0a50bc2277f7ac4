/** The drivers of the databases. To add one, see ARCHITECTURE.md, "Adding a dialect". */
import type { DialectName, Source } from '../../engine/index.js';
import { connectFault } from './connect-fault.js';
import { mysqlDriver } from './mysql/driver.js';
import { connectMysql } from './mysql/tables.js';
import { postgresqlDriver } from './postgresql/driver.js';
import { connectPostgresql } from './postgresql/tables.js';
import type { Driver } from './source.js';
import type { SourceSettings } from './source-settings.js';
import type { TableConnection } from './table-connection.js';

/** The parts of a source that are needed to reach its tables. */
type TableSource = Pick<Source, 'dialect' | 'connection'>;

/** The functions for one kind of database. */
interface DatabaseKind {
  readonly driver: (source: Source, settings: SourceSettings) => Driver;
  readonly connectTables: (source: TableSource) => Promise<TableConnection>;
}

const mysql: DatabaseKind = { driver: mysqlDriver, connectTables: connectMysql };

const kinds: Record<DialectName, DatabaseKind> = {
  PostgreSQL: { driver: postgresqlDriver, connectTables: connectPostgresql },
  MySQL: mysql,
  MariaDB: mysql,
};

/** The driver of a source, which opens its connections. */
export function driverOf(source: Source, settings: SourceSettings): Driver {
  return kinds[source.dialect].driver(source, settings);
}

/**
 * Opens a connection that reads and changes the tables of a source; the caller closes it. Rejects with the
 * place of a database that cannot be reached, and the reason.
 */
export async function connectTables(source: TableSource): Promise<TableConnection> {
  const { dialect, connection } = source;
  try {
    return await kinds[dialect].connectTables(source);
  } catch (cause) {
    throw connectFault(dialect, connection, cause);
  }
}

const READ_MS = 60_000;

/**
 * Opens a connection for reading tables, and closes it when `work` has settled, when the signal aborts or
 * after a minute, whichever is first. Rejects with the error of the connection or of `work`.
 */
export async function withTables<Result>(
  source: TableSource,
  work: (connection: TableConnection) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const limit = AbortSignal.timeout(READ_MS);
  const over = signal ? AbortSignal.any([signal, limit]) : limit;
  const connection = await connectTables(source);
  const close = () => void connection.close();
  over.addEventListener('abort', close);
  try {
    over.throwIfAborted();
    return await work(connection);
  } catch (cause) {
    if (!limit.aborted) throw cause;
    const seconds = READ_MS / 1000;
    throw new Error(`The tables could not be read within ${seconds} seconds.`, { cause });
  } finally {
    over.removeEventListener('abort', close);
    await connection.close();
  }
}
