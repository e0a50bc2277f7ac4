/** A source with one small table on a separate MariaDB database, for a suite. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Lease } from '../../src/workers/database/lease.js';
import type { LeaseOptions, Source } from '../../src/workers/database/source.js';
import type { Statement } from '../../src/workers/database/statement.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { mysqlSource, onLease, sql } from './mysql-source.js';

/** Available in the tests of the suite. Every test starts with an empty table `t (id, name, n)`. */
export interface SmallTable {
  readonly database: MariadbDatabase;
  readonly source: Source;
  readonly query: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly withLease: <Result>(
    work: (lease: Lease) => Promise<Result>,
    options?: LeaseOptions,
  ) => Promise<Result>;
  /** The ids of the rows of `t`. */
  readonly stored: () => Promise<readonly unknown[]>;
  /** An INSERT of a row into `t`. */
  readonly insert: (id: number, name?: string | null) => Statement;
}

/** Declares a suite on MariaDB. `more` is SQL for further tables, which runs before every test. */
export function describeSmallTable(
  name: string,
  more: string,
  suite: (table: SmallTable) => void,
): void {
  describeMariadb(name, () => {
    let database: MariadbDatabase | undefined;
    let source: Source | undefined;
    const table: SmallTable = {
      get database() {
        expect.assert(database);
        return database;
      },
      get source() {
        expect.assert(source);
        return source;
      },
      query: (text) => table.database.withClient((client) => client.query(text)),
      withLease: (work, options = {}) => onLease(table.source, work, options),
      stored: async () => (await table.query('SELECT id FROM t ORDER BY id')).map(({ id }) => id),
      insert: (id, name = `n${id}`) => sql('INSERT INTO t VALUES (?, ?, 1)', String(id), name),
    };

    beforeAll(async () => {
      database = await createMariadbDatabase();
    });
    afterAll(() => database?.drop());

    beforeEach(async () => {
      await table.query(`CREATE OR REPLACE TABLE t (id int PRIMARY KEY, name varchar(10),
        n int NOT NULL, UNIQUE KEY of_name (name)); ${more}`);
      source = mysqlSource(table.database.connection);
    });
    afterEach(() => source?.close());

    suite(table);
  });
}
