/** A connection to PostgreSQL that reads and changes tables. */
import pg from 'pg';
import type { Source } from '../../../engine/index.js';
import { clientOptions } from './options.js';
import { readTables } from './read-tables.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Any number will do that other programs do not lock; this spells "rowg". */
const ADVISORY_LOCK = 0x726f7767;

/** Opens a connection that reads and changes tables; its owner closes it. */
export async function connectPostgresql({
  connection,
}: Pick<Source, 'connection'>): Promise<TableConnection> {
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs: 0 };
  const options = clientOptions(connection, limits);
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  return postgresqlTables(client);
}

/** Takes over a connected client, of which nothing else may make use until `close`. */
export function postgresqlTables(client: pg.Client): TableConnection {
  return {
    transaction: (work) => inTransaction(client, work),
    dialect: 'PostgreSQL',
    readTables: (schemas) => readTables(client, schemas),
    execute: async (sql) => {
      await client.query(sql);
    },
    close: () => client.end(),
  };
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>) {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that is gone has rolled back by itself; the first error is the one to tell.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
