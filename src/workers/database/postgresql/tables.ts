/** Reads a PostgreSQL database's tables from its catalog, and changes them. */
import pg from 'pg';
import type { ExistingTable, Source } from '../../../engine/index.js';
import { clientOptions } from './options.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Any number will do that other programs do not lock; this spells "rowg". */
const ADVISORY_LOCK = 0x726f7767;

const TABLES = `
SELECT c.oid::text AS id, c.relname::text AS name,
  ARRAY(SELECT a.attname::text FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS columns
FROM pg_class c
WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)
  AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
ORDER BY c.relname`;

/** Columns that an index only includes are no part of its key. */
const INDEXES = `
SELECT i.indrelid::text AS table_id, i.indisprimary AS is_primary, i.indisunique AS is_unique,
  ARRAY(SELECT a.attname::text
    FROM generate_series(0, i.indnkeyatts - 1) AS k
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k]
    ORDER BY k) AS columns
FROM pg_index i
WHERE i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
ORDER BY i.indexrelid`;

const FOREIGN_KEYS = `
SELECT f.conrelid::text AS table_id, f.conname::text AS name, t.relname::text AS target,
  ARRAY(SELECT a.attname::text
    FROM unnest(f.conkey) WITH ORDINALITY AS k (number, position)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number
    ORDER BY k.position) AS columns
FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
WHERE f.contype = 'f'
ORDER BY f.oid`;

interface TableRow {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface IndexRow {
  readonly table_id: string;
  readonly is_primary: boolean;
  readonly is_unique: boolean;
  readonly columns: readonly string[];
}

interface ForeignKeyRow {
  readonly table_id: string;
  readonly name: string;
  readonly target: string;
  readonly columns: readonly string[];
}

/** Opens a connection that reads and changes tables; its owner closes it. */
export async function connectPostgresql({ connection }: Source): Promise<TableConnection> {
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
    readTables: () => readTables(client),
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
    // A broken connection has rolled back by itself; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function readTables(client: pg.Client): Promise<readonly ExistingTable[]> {
  const tables = await client.query<TableRow>(TABLES);
  const indexes = await client.query<IndexRow>(INDEXES);
  const foreignKeys = await client.query<ForeignKeyRow>(FOREIGN_KEYS);
  return tables.rows.map(({ id, name, columns }) => {
    const own = indexes.rows.filter((index) => index.table_id === id);
    const unique = own.filter((index) => index.is_unique && !index.is_primary);
    return {
      name,
      columns,
      primaryKey: own.find((index) => index.is_primary)?.columns,
      uniqueKeys: unique.map((index) => index.columns),
      indexes: own.map((index) => index.columns),
      foreignKeys: foreignKeys.rows
        .filter((key) => key.table_id === id)
        .map((key) => ({ name: key.name, columns: key.columns, table: key.target })),
    };
  });
}
