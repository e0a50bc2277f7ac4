/** A database of either kind, with the tables of the write cases. */
import mariadb from 'mariadb';
import pg from 'pg';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import type { DialectName, Property, Schema } from '../../src/engine/index.js';
import { dialectOf } from '../../src/engine/dialects/dialects.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase } from '../support/embedded.js';
import { createMariadbDatabase, type MariadbDatabase } from '../support/mariadb.js';
import { mariadbSeed, writeSchema, writeSeed, writeTables } from './write-schema.js';

/** The rows of tables as strings, by table name. */
export type TableRows = Readonly<Record<string, readonly string[]>>;

export interface WriteDatabase {
  readonly dialect: DialectName;
  readonly connection: unknown;
  readonly postgresql?: { readonly connection: EmbeddedConnection; readonly client: pg.Client };
  readonly mariadb?: MariadbDatabase['connection'];
  /** Runs statements. */
  sql(text: string): Promise<void>;
  /** Stores the rows with which every case starts. */
  seed(): Promise<void>;
  readTables(): Promise<TableRows>;
  stop(): Promise<void>;
}

/** Creates a database with the tables. */
export async function startWriteDatabase(dialect: DialectName): Promise<WriteDatabase> {
  const database = await (dialect === 'PostgreSQL' ? startPostgresql() : startMariadb(dialect));
  const schema = writeSchema(database.connection, dialect);
  await push({ schema, dryRun: false, say: () => undefined });
  return database;
}

const asText = { getTypeParser: () => (value: unknown) => value };

async function startPostgresql(): Promise<WriteDatabase> {
  const { connection, drop } = await createThrowawayDatabase();
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC' });
  await client.connect();
  const rowsOf = async (text: string): Promise<readonly Row[]> =>
    (await client.query({ text, rowMode: 'array', types: asText })).rows;
  return {
    dialect: 'PostgreSQL',
    connection,
    postgresql: { connection, client },
    sql: async (text) => void (await client.query(text)),
    seed: async () => void (await client.query(writeSeed)),
    readTables: () => readAll(rowsOf, (table) => writeTables[table] ?? ''),
    async stop() {
      await client.end();
      await drop();
    },
  };
}

async function startMariadb(dialect: DialectName): Promise<WriteDatabase> {
  const database = await createMariadbDatabase();
  const { connection } = database;
  const client = await mariadb.createConnection({ ...connection, multipleStatements: true });
  const schema = writeSchema(connection, dialect);
  const rowsOf = async (sql: string): Promise<readonly Row[]> =>
    client.query({ sql, rowsAsArray: true, typeCast: (column) => column.string() });
  return {
    dialect,
    connection,
    mariadb: connection,
    sql: async (text) => void (await client.query(text)),
    seed: async () => void (await client.query(mariadbSeed)),
    readTables: () => readAll(rowsOf, (table) => mariadbSelect(schema, table)),
    async stop() {
      await client.end();
      await database.drop();
    },
  };
}

type Row = readonly (string | null)[];

async function readAll(
  rowsOf: (sql: string) => Promise<readonly Row[]>,
  select: (table: string) => string,
): Promise<TableRows> {
  const tables: [string, readonly string[]][] = [];
  for (const name of Object.keys(writeTables)) {
    const rows = await rowsOf(select(name));
    tables.push([name, rows.map((row) => row.map((value) => value ?? '∅').join('|'))]);
  }
  return Object.fromEntries(tables);
}

/** Selects the same rows as {@link writeTables}, in the text format of PostgreSQL. */
function mariadbSelect({ mappings }: Schema, name: string): string {
  const select = writeTables[name] ?? '';
  const entity = mappings[0]?.entities.find((one) => one.name === name);
  if (!entity || !select.startsWith('SELECT * ')) return select;
  const { quoteName } = dialectOf('MariaDB');
  const columns = entity.properties.map(({ mapping, type }) =>
    asInPostgresql(quoteName(mapping), type),
  );
  const keys = entity.properties.flatMap((property, index) =>
    entity.primaryKey.includes(property.name) ? [index + 1] : [],
  );
  const order = keys.length > 0 ? keys.join(', ') : '1';
  return `SELECT ${columns.join(', ')} FROM ${quoteName(entity.mapping)} ORDER BY ${order}`;
}

function asInPostgresql(column: string, type: Property['type']): string {
  switch (type) {
    case 'boolean':
      return `IF(${column}, 't', 'f')`;
    case 'dateTime':
      return `CONCAT(${withoutZeros(`CAST(${column} AS CHAR)`)}, '+00')`;
    case 'time':
    case 'decimal':
      return withoutZeros(`CAST(${column} AS CHAR)`);
    default:
      return column;
  }
}

function withoutZeros(text: string): string {
  return `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${text}))`;
}
