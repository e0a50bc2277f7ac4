/** The sample rows on MariaDB and on PostgreSQL, with a worker on each. */
import type { Connection } from 'mariadb';
import { createMariadbDatabase } from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { startWorker } from '../workers/test-worker.js';
import { withExtraEntities } from './language-fixture.js';

export interface MariadbFixture {
  /** The text of the answer to a query. Data that is a string is parsed as JSON. */
  answer(query: string, data?: unknown): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Creates a database, and starts a worker on it. Strings are compared exactly unless `collation` says
 * otherwise.
 */
export async function startMariadbFixture(collation?: string): Promise<MariadbFixture> {
  const database = await createMariadbDatabase(undefined, collation);
  await fillMariadbWithSample(database);
  await database.withClient((client: Connection) => client.query(extraTables));
  const worker = startWorker(withExtraEntities(mariadbSampleDocument(database)));
  return {
    async answer(query, data) {
      return (await worker.gateway.execute(query, { data })).text;
    },
    async stop() {
      await worker.close();
      await database.drop();
    },
  };
}

/**
 * The rows are those on PostgreSQL; values that MariaDB does not have (NaN, infinity, years without
 * four digits) are null.
 */
const extraTables = `
  CREATE TABLE readings (id int PRIMARY KEY, whole decimal(40,0), exact decimal(65,30),
    \`double\` double, flag boolean, label longtext);
  INSERT INTO readings VALUES
    (1, 12345678901234567890, 123456789012345678901234567.891, 0.1, true, 'twenty digits'),
    (2, -99999999999999999999, -0.000000000000000000000000000001, 1e300, false, 'negative'),
    (3, 9007199254740993, 10.50, NULL, NULL, ''),
    (4, 0, 0.00, NULL, true, NULL),
    (5, NULL, NULL, NULL, NULL, 'B'),
    (6, 7, 2.5, -2.5, false, 'a%b_c\\\\d'),
    (7, -7, NULL, NULL, true, 'É'),
    (8, 7, 2.50, 5e-324, NULL, 'b');
  CREATE TABLE moments (id int PRIMARY KEY, at datetime(6), day date, clock time(6));
  INSERT INTO moments VALUES
    (1, '0001-01-01 00:00:00', '0001-01-01', '00:00:00'),
    (2, '9999-12-31 23:59:59.999999', '9999-12-31', '23:59:59.999999'),
    (3, '2024-03-10 06:59:59.999', '2024-03-10', '02:30:00'),
    (4, '2024-03-10 07:00:00', '2024-03-10', '03:00:00.5'),
    (5, '2024-11-03 05:30:00.000001', '2024-11-03', '01:30:00'),
    (6, '2024-11-03 06:30:00.000999', '2024-11-03', '01:30:00.001'),
    (7, NULL, NULL, NULL),
    (8, NULL, NULL, NULL),
    (9, NULL, NULL, NULL),
    (10, '2011-12-30 12:00:00', '2011-12-30', '12:00:00'),
    (11, NULL, NULL, '12:00:00'),
    (12, NULL, NULL, '12:00:00'),
    (13, '2024-02-29 18:29:59.123456', '2024-02-29', '18:29:59.123');
  CREATE TABLE notes (id int PRIMARY KEY, author longtext, authorid int, readingid int);
  INSERT INTO notes VALUES (1, 'Ingrid', 1, 1), (2, 'nobody', NULL, 1), (3, NULL, 3, NULL),
    (4, 'Chidi', 2, 6), (5, 'Chidi', 2, 99);
`;
