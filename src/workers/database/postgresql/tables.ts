/** A connection to PostgreSQL that reads and changes tables. */
import type pg from 'pg';
import type { Source } from '../../../engine/index.js';
import { closeWithin } from '../close-within.js';
import { connectClient } from './connect.js';
import { postgresqlError } from './errors.js';
import { readTables } from './read-tables.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Any number that other programs do not lock; this one spells "rowg". */
const ADVISORY_LOCK = 0x726f7767;

/** Opens a connection that reads and changes tables; the caller closes it. */
export async function connectTables({
  connection,
}: Pick<Source, 'connection'>): Promise<TableConnection> {
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, statementTimeoutMs: 0 };
  const client = await connectClient(connection, limits);
  return {
    transaction: (work) => inTransaction(client, work),
    dialect: 'PostgreSQL',
    readTables: (schemas) => readTables(client, schemas),
    connectionsMax: async () => {
      const { rows } = await client.query<{ max_connections: string }>('SHOW max_connections');
      return Number(rows[0]?.max_connections);
    },
    execute: async (sql) => {
      await client.query(sql);
    },
    errorOf: postgresqlError,
    close: () => closeWithin(client.end(), () => client.connection.stream.destroy()),
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
    // A broken connection has already rolled back; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
