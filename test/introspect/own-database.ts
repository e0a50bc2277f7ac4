/** Creates databases with existing tables for a suite, and returns their URLs. */
import { afterAll, beforeAll } from 'vitest';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
  withClient,
} from '../support/embedded.js';
import { createMariadbDatabase, type MariadbDatabase } from '../support/mariadb.js';
import { connectionUrl } from '../support/sample.js';

/** A database for a suite. */
export interface OwnDatabase {
  readonly dialect: 'PostgreSQL' | 'MariaDB';
  /** Available after the suite has started. */
  readonly url: string;
  run(sql: string): Promise<void>;
  /** The rows of a SELECT, as strings. */
  texts(sql: string): Promise<readonly (readonly (string | null)[])[]>;
}

/** The SQL of the tables without their rows. */
export function withoutRows(sql: string): string {
  return sql
    .split(';')
    .filter((statement) => !/^\s*(INSERT|UPDATE)\b/.test(statement))
    .join(';');
}

/** Creates a database on the PostgreSQL of the run, for the surrounding suite. */
export function useOwnPostgresql(sql: string): OwnDatabase {
  let database: ThrowawayDatabase;
  const run = async (text: string) => {
    await withClient(database.connection, (client) => client.query(text));
  };
  beforeAll(async () => {
    database = await createThrowawayDatabase();
    await run(sql);
  });
  afterAll(() => database.drop());
  return {
    dialect: 'PostgreSQL',
    get url() {
      return connectionUrl(database.connection);
    },
    run,
    texts: (text) =>
      withClient(database.connection, async (client) => {
        const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
        return rows;
      }),
  };
}

/** Creates a database on the MariaDB of the run, for the surrounding suite. */
export function useOwnMariadb(sql: string): OwnDatabase {
  let database: MariadbDatabase;
  const run = async (text: string) => {
    await database.withClient((client) => client.query(text));
  };
  beforeAll(async () => {
    database = await createMariadbDatabase();
    await run(sql);
  });
  afterAll(() => database.drop());
  return {
    dialect: 'MariaDB',
    get url() {
      const { host, port, user, password, database: name } = database.connection;
      return `mysql://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
    },
    run,
    texts: (text) =>
      database.withClient((client) =>
        client.query<(string | null)[][]>({ sql: text, rowsAsArray: true }),
      ),
  };
}
