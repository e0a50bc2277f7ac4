/** The two databases for random queries; each world has its own database. */
import type { Connection } from 'mariadb';
import pg from 'pg';
import { inject } from 'vitest';
import { createThrowawayDatabase } from '../../support/embedded.js';
import { createMariadbDatabase } from '../../support/mariadb.js';
import { mariadbDialect } from '../../support/mariadb-dialect.js';
import type { SourcePlan } from '../world/schema-file.js';

/** A database that is dropped at the end. */
export interface WorldDatabase {
  readonly source: SourcePlan;
  /** The rows of an SQL statement without parameters, as objects of strings. */
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Deletes all rows of all tables. */
  empty(): Promise<void>;
  drop(): Promise<void>;
}

export interface Server {
  readonly dialect: SourcePlan['dialect'];
  create(): Promise<WorldDatabase>;
}

/** Databases on the PostgreSQL of the run. */
export const onPostgresql: Server = {
  dialect: 'PostgreSQL',
  async create() {
    const database = await createThrowawayDatabase();
    const asText = { getTypeParser: () => (text: unknown) => text };
    const client = new pg.Client({
      ...database.connection,
      options: '-c datestyle=ISO -c timezone=UTC -c intervalstyle=iso_8601',
      types: asText,
    });
    await client.connect();
    const { host, port, user, database: name } = database.connection;
    return {
      source: { dialect: 'PostgreSQL', connection: { host, port, user, database: name } },
      rows: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
      async empty() {
        const { rows } = await client.query<{ name: string }>(
          "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
        );
        await client.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`);
      },
      async drop() {
        await client.end();
        await database.drop();
      },
    };
  },
};

/** Databases on the MariaDB or MySQL of the run, which compare strings exactly. */
export const onMariadb: Server = {
  dialect: mariadbDialect,
  async create() {
    const database = await createMariadbDatabase();
    return {
      source: { dialect: mariadbDialect, connection: database.connection },
      rows: (sql) =>
        database.withClient(async (client: Connection) => {
          // As in the program: quotients have as many digits as possible.
          await client.query('SET SESSION div_precision_increment = 20');
          // The text protocol shows an infinity as 0.
          const options = { sql, decimalAsNumber: false, bigIntAsNumber: false };
          const rows: readonly Readonly<Record<string, unknown>>[] = await client.execute(options);
          return rows;
        }),
      empty: () =>
        database.withClient(async (client: Connection) => {
          const tables: readonly string[][] = await client.query({
            sql: 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()',
            rowsAsArray: true,
          });
          await client.query('SET foreign_key_checks = 0');
          for (const [name = ''] of tables) {
            await client.query(`TRUNCATE \`${name.replaceAll('`', '``')}\``);
          }
        }),
      drop: () => database.drop(),
    };
  },
};

/** The server of the other dialect; the same one if there is no MariaDB. */
export function otherServer(server: Server): Server {
  if (server === onMariadb) return onPostgresql;
  return typeof inject('mariadb') === 'string' ? server : onMariadb;
}
