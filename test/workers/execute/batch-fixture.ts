/** A database for the batch tests, and workers with it. */
import type pg from 'pg';
import type { EmbeddedConnection } from '../../../src/embedded/start-embedded.js';
import type { WorkerContext } from '../../../src/workers/protocol.js';
import { createThrowawayDatabase, withClient } from '../../support/embedded.js';
import { type BatchWorker, startBatchWorker } from './batch-worker.js';

export interface BatchFixture {
  readonly connection: EmbeddedConnection;
  /** Runs SQL on a separate connection. */
  sql(text: string): Promise<pg.QueryResultRow[]>;
  /** Runs `work` with a worker, and closes the worker. */
  withWorker<Result>(
    changes: Partial<WorkerContext>,
    work: (worker: BatchWorker) => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

/** Creates a database with these tables. */
export async function startBatchFixture(tables: string): Promise<BatchFixture> {
  const { connection, drop } = await createThrowawayDatabase();
  const sql = (text: string): Promise<pg.QueryResultRow[]> =>
    withClient(connection, async (client) => (await client.query(text)).rows);
  await sql(tables);
  return {
    connection,
    sql,
    stop: drop,
    async withWorker(changes, work) {
      const worker = startBatchWorker(connection, changes);
      try {
        return await work(worker);
      } finally {
        await worker.close();
      }
    },
  };
}
