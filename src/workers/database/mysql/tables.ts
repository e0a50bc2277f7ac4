/** A connection to MySQL or MariaDB that reads and changes tables. */
import type { Connection } from 'mariadb';
import type { OwnDatabase, Source } from '../../../engine/index.js';
import { closeWithin } from '../close-within.js';
import { mysqlError, NO_DATABASE } from './errors.js';
import { openGuarded } from './guarded-connection.js';
import { connectionOptions } from './options.js';
import { readTables } from './read-tables.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** How many seconds to wait for another push or drop. */
const LOCK_SECONDS = 60;

const DATABASE =
  'SELECT DATABASE(), @@character_set_database, @@collation_database, @@lower_case_table_names';

/** Opens a connection that reads and changes tables; the caller closes it. */
export async function connectTables({
  connection,
}: Pick<Source, 'connection'>): Promise<TableConnection> {
  const settings = { connectTimeoutMs: CONNECT_TIMEOUT_MS };
  const options = connectionOptions(connection, settings);
  // A statement may take long, or wait for others.
  const client = await openGuarded({ ...options, socketTimeout: 0 });
  return {
    transaction: (work) => inTurn(client, work),
    dialect: client.info?.serverVersion.mariaDb === true ? 'MariaDB' : 'MySQL',
    readTables: (schemas) => readTables(client, schemas),
    readDatabase: () => readDatabase(client),
    connectionsMax: async () => {
      const [[limit] = []] = await texts(client, 'SELECT @@max_connections');
      return Number(limit);
    },
    execute: async (sql) => {
      await client.query(sql);
    },
    errorOf: mysqlError,
    close: () => closeWithin(client.end(), () => client.destroy()),
  };
}

/** Changes of tables cannot be rolled back here. A second run does the remaining ones. */
async function inTurn<Result>(client: Connection, work: () => Promise<Result>): Promise<Result> {
  const name = "CONCAT('rowgate ', LEFT(SHA2(DATABASE(), 256), 40))";
  // MySQL refuses null as the name of a lock.
  const lock = `IF(DATABASE() IS NULL, -1, GET_LOCK(${name}, ${LOCK_SECONDS}))`;
  const [taken] = await texts(client, `SELECT ${lock}`);
  if (taken?.[0] === '-1') throw new Error(NO_DATABASE);
  if (taken?.[0] !== '1')
    throw new Error(
      'Another push or drop is running on this database: try again when it has ended.',
    );
  try {
    return await work();
  } finally {
    // A lost connection has released its locks.
    await client.query(`DO RELEASE_LOCK(${name})`).catch(() => undefined);
  }
}

/** The collation for new tables is that of the database, unless it does not cover all of Unicode. */
async function readDatabase(client: Connection): Promise<OwnDatabase> {
  const [[name, characters, given, folding] = []] = await texts(client, DATABASE);
  const collation = characters === 'utf8mb4' ? given : undefined;
  return { name, collation, ignoresCase: folding !== '0' };
}

type Row = readonly string[];

async function texts(client: Connection, sql: string): Promise<readonly Row[]> {
  const rows: readonly (readonly unknown[])[] = await client.query(sql);
  return rows.map((row) => row.map(String));
}
