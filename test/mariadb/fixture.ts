/**
 * The workers' tables on MariaDB, workers on them, and a check for connections that they leave
 * open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerContext } from '../../src/workers/protocol.js';
import { createMariadbDatabase, type MariadbDatabase } from '../support/mariadb.js';
import { schemaDocument } from '../workers/schema-document.js';
import { useWorker, type TestGateway, type TestWorker } from '../workers/test-worker.js';

export interface MariadbFixture {
  readonly database: MariadbDatabase;
  /** Runs SQL on a separate connection. */
  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The connections of workers: their ids, and what they are doing. */
  connections(): Promise<readonly { readonly id: number; readonly isActive: boolean }[]>;
  /** Runs `work` with a worker. Afterwards, no connection of the worker is left. */
  withWorker<Result>(
    changes: Partial<WorkerContext>,
    work: (gateway: TestGateway, worker: TestWorker) => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

const LEAK_CHECK_MS = 30_000;

/** The rows of the workers' tests; see `schema-document`. */
const tables = `
  CREATE TABLE points (id int PRIMARY KEY, name text, big bigint, price decimal(20, 4), qty int);
  INSERT INTO points SELECT seq, CONCAT('näme "', seq, '"'), 9007199254740993 + seq, seq * 1.25,
    NULLIF(seq % 10, 0) FROM seq_1_to_1000;
  CREATE VIEW many AS SELECT seq AS id, MD5(seq) AS name FROM seq_1_to_300000;
  CREATE VIEW slow AS SELECT seq AS id, SLEEP(0.01) AS name FROM seq_1_to_1000;
  CREATE VIEW steady AS SELECT seq AS id, concat(repeat('x', 40000), sleep(0.1)) AS name FROM seq_1_to_30;
  CREATE VIEW broken AS SELECT seq AS id,
    CASE WHEN seq < 19000 THEN 'x' ELSE (SELECT seq FROM seq_1_to_2) END AS name FROM seq_1_to_20000;
  CREATE TABLE orders (id int PRIMARY KEY, customer varchar(40));
  INSERT INTO orders SELECT seq, CONCAT('C', seq % 50) FROM seq_1_to_2500;
  CREATE TABLE details (id int PRIMARY KEY, order_id int, qty int, INDEX (order_id));
  INSERT INTO details SELECT seq, 2 * (1 + (seq * 7919) % 1250), seq % 10 FROM seq_1_to_9000;
`;

export async function startMariadbFixture(): Promise<MariadbFixture> {
  const database = await createMariadbDatabase();
  const { connection } = database;
  const sql: MariadbFixture['sql'] = (text) => database.withClient((client) => client.query(text));
  const connections: MariadbFixture['connections'] = async () => {
    const rows =
      await sql(`SELECT id, command <> 'Sleep' AS active FROM information_schema.processlist
      WHERE db = DATABASE() AND id <> CONNECTION_ID()`);
    return rows.map(({ id, active }) => ({ id: Number(id), isActive: Number(active) === 1 }));
  };
  await sql(tables);
  return {
    database,
    sql,
    connections,
    stop: () => database.drop(),
    async withWorker(changes, work) {
      try {
        return await useWorker(schemaDocument(connection, 'MariaDB'), changes, work);
      } finally {
        await noneLeft(connections);
      }
    },
  };
}

/** Waits until the server has seen the end of every connection of a worker. */
async function noneLeft(connections: MariadbFixture['connections']): Promise<void> {
  const end = performance.now() + LEAK_CHECK_MS;
  while ((await connections()).length > 0) {
    if (performance.now() > end) throw new Error('connections are left');
    await sleep(20);
  }
}
