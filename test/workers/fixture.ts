/**
 * A database with the tests' tables, workers with it, and a check for connections that they leave
 * open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import type { WorkerContext } from '../../src/workers/protocol.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { schemaDocument, tables } from './schema-document.js';
import { useWorker, type TestGateway, type TestWorker } from './test-worker.js';

export interface Fixture {
  readonly connection: EmbeddedConnection;
  /** Runs SQL on a separate connection. */
  sql(text: string): Promise<QueryResultRow[]>;
  /** Runs `work` with a worker. Afterwards, no connection of the worker is left. */
  withWorker<Result>(
    changes: Partial<WorkerContext>,
    work: (gateway: TestGateway, worker: TestWorker) => Promise<Result>,
  ): Promise<Result>;
  stop(): Promise<void>;
}

const LEAK_CHECK_MS = 30_000;

export async function startFixture(): Promise<Fixture> {
  const { connection, drop } = await createThrowawayDatabase();
  const sql = (text: string): Promise<QueryResultRow[]> =>
    withClient(connection, async (client) => (await client.query(text)).rows);
  await sql(tables);
  return {
    connection,
    sql,
    stop: drop,
    async withWorker(changes, work) {
      try {
        return await useWorker(schemaDocument(connection), changes, work);
      } finally {
        await noneLeft(sql);
      }
    },
  };
}

/** Waits until the server has seen the end of every connection of Rowgate. */
async function noneLeft(sql: Fixture['sql']): Promise<void> {
  const end = performance.now() + LEAK_CHECK_MS;
  for (;;) {
    const left = await sql(
      "SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rowgate'",
    );
    if (left.length === 0) return;
    if (performance.now() > end) throw new Error(`connections are left: ${JSON.stringify(left)}`);
    await sleep(20);
  }
}
