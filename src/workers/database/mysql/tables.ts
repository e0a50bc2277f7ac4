/** Reads the tables of a MySQL or MariaDB database from its catalog, and changes them. */
import mariadb, { type Connection } from 'mariadb';
import type { ExistingTable, Source } from '../../../engine/index.js';
import { connectionOptions } from './options.js';
import type { TableConnection } from '../table-connection.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Seconds that another change of the tables by Rowgate is waited for. */
const LOCK_SECONDS = 60;

const TABLES = `
SELECT t.TABLE_NAME, c.COLUMN_NAME
FROM information_schema.TABLES t
JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME
WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
ORDER BY t.TABLE_NAME, c.ORDINAL_POSITION`;

/** An index of the beginning of a text is an index, and no key. */
const INDEXES = `
SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE OR SUB_PART IS NOT NULL, COLUMN_NAME
FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = DATABASE()
ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;

const FOREIGN_KEYS = `
SELECT TABLE_NAME, CONSTRAINT_NAME, REFERENCED_TABLE_NAME, COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE
WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL
ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

const COLLATION = 'SELECT @@character_set_database, @@collation_database';

/** Opens a connection that reads and changes tables; its owner closes it. */
export async function connectMysql({ connection }: Source): Promise<TableConnection> {
  const settings = { connectTimeoutMs: CONNECT_TIMEOUT_MS };
  return mysqlTables(await mariadb.createConnection(connectionOptions(connection, settings)));
}

function mysqlTables(client: Connection): TableConnection {
  return {
    transaction: (work) => inTurn(client, work),
    readTables: () => readTables(client),
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

async function readTables(client: Connection): Promise<readonly ExistingTable[]> {
  const columns = grouped(await texts(client, TABLES));
  const indexes = grouped(await texts(client, INDEXES));
  const foreignKeys = grouped(await texts(client, FOREIGN_KEYS));
  return [...columns].map(([name, rows]) => {
    const keys = [...grouped(indexes.get(name) ?? [])].map(([index, parts]) => ({
      isPrimary: index === 'PRIMARY',
      isUnique: parts.every(([isNoKey]) => isNoKey === '0'),
      columns: parts.map((part) => part[1] ?? ''),
    }));
    const unique = keys.filter((key) => key.isUnique && !key.isPrimary);
    return {
      name,
      columns: rows.map(([column]) => column ?? ''),
      primaryKey: keys.find((key) => key.isPrimary)?.columns,
      uniqueKeys: unique.map((key) => key.columns),
      indexes: keys.map((key) => key.columns),
      foreignKeys: [...grouped(foreignKeys.get(name) ?? [])].map(([key, parts]) => ({
        name: key,
        columns: parts.map((part) => part[1] ?? ''),
        table: parts[0]?.[0] ?? '',
      })),
    };
  });
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

/** The rest of each row by what stands first in it. */
function grouped(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const [name = '', ...rest] of rows) {
    const group = groups.get(name);
    if (group) group.push(rest);
    else groups.set(name, [rest]);
  }
  return groups;
}
