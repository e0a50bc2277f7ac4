/** Databases that hold somebody else's tables, with their addresses. */
import { afterAll, beforeAll } from 'vitest';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
  withClient,
} from '../support/embedded.js';
import { createMariadbDatabase, type MariadbDatabase } from '../support/mariadb.js';
import { connectionUrl } from '../support/sample.js';

/** A database of a suite. */
export interface OwnDatabase {
  readonly dialect: 'PostgreSQL' | 'MariaDB';
  /** Known once the suite has begun. */
  readonly url: string;
  run(sql: string): Promise<void>;
  /** The rows of a SELECT of texts. */
  texts(sql: string): Promise<readonly (readonly (string | null)[])[]>;
}

/** The same tables without their rows. */
export function withoutRows(sql: string): string {
  return sql
    .split(';')
    .filter((statement) => !/^\s*(INSERT|UPDATE)\b/.test(statement))
    .join(';');
}

/** One on the PostgreSQL of the run, for the suite around. */
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

/** One on the MariaDB of the run, for the suite around. */
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
