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
  };
}
