/** Creates databases with existing tables for a suite, and returns their URLs. */
import type { NetConnectOpts } from 'node:net';
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
  /** Where its server listens. */
  readonly target: NetConnectOpts;
  /** Its URL through a relay on a port of this machine. */
  urlThrough(port: number): string;
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
    get target() {
      const { host, port } = database.connection;
      return { path: `${host}/.s.PGSQL.${port}` };
    },
    urlThrough: (port) => {
      const { user, database: name } = database.connection;
      return `postgresql://${user}@127.0.0.1:${port}/${name}`;
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
  const urlAt = (at: string) => {
    const { user, password, database: name } = database.connection;
    return `mysql://${user}:${encodeURIComponent(password)}@${at}/${name}`;
  };
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
      const { host, port } = database.connection;
      return urlAt(`${host}:${port}`);
    },
    get target() {
      const { host, port } = database.connection;
      return { host, port };
    },
    urlThrough: (port) => urlAt(`127.0.0.1:${port}`),
    run,
    texts: (text) =>
      database.withClient((client) =>
        client.query<(string | null)[][]>({ sql: text, rowsAsArray: true }),
      ),
  };
}
