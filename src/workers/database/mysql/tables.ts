/** A connection to MySQL or MariaDB that reads and changes tables. */
import mariadb, { type Connection } from 'mariadb';
import type { Source } from '../../../engine/index.js';
import { connectionOptions } from './options.js';
import { readTables } from './read-tables.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Seconds that another change of the tables by Rowgate is waited for. */
const LOCK_SECONDS = 60;

const COLLATION = 'SELECT @@character_set_database, @@collation_database';

/** Opens a connection that reads and changes tables; its owner closes it. */
export async function connectMysql({
  connection,
}: Pick<Source, 'connection'>): Promise<TableConnection> {
  const settings = { connectTimeoutMs: CONNECT_TIMEOUT_MS };
  return mysqlTables(await mariadb.createConnection(connectionOptions(connection, settings)));
}

function mysqlTables(client: Connection): TableConnection {
  return {
    transaction: (work) => inTurn(client, work),
    dialect: client.info?.serverVersion.mariaDb === true ? 'MariaDB' : 'MySQL',
    readTables: (schemas) => readTables(client, schemas),
    readCollation: () => readCollation(client),
    execute: async (sql) => {
      await client.query(sql);
    },
    close: () => client.end(),
  };
}

/** Changes of tables cannot be undone here: each is for good, and a second run does what is left. */
async function inTurn<Result>(client: Connection, work: () => Promise<Result>): Promise<Result> {
  const name = "CONCAT('rowgate ', MD5(DATABASE()))";
  const [taken] = await texts(client, `SELECT GET_LOCK(${name}, ${LOCK_SECONDS})`);
  if (taken?.[0] !== '1') throw new Error('Another run of push or drop takes too long.');
  try {
    return await work();
  } finally {
    // A connection that is gone has given its locks back.
    await client.query(`DO RELEASE_LOCK(${name})`).catch(() => undefined);
  }
}

/** A database whose texts are not of all of Unicode has no say in the tables that are made in it. */
async function readCollation(client: Connection): Promise<string | undefined> {
  const [row] = await texts(client, COLLATION);
  return row?.[0] === 'utf8mb4' ? row[1] : undefined;
}

type Row = readonly string[];

async function texts(client: Connection, sql: string): Promise<readonly Row[]> {
  const rows: readonly (readonly unknown[])[] = await client.query({ sql, rowsAsArray: true });
  return rows.map((row) => row.map(String));
}
