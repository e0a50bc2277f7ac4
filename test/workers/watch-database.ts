/** Observes from a separate connection what workers do in a database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const WAIT_MS = 30_000;
const POLL_MS = 10;

export interface WatchedDatabase {
  /** The number of rows of a table. */
  count(table: string): Promise<number>;
  /** The number of workers' connections with an open transaction in which nothing is running. */
  openTransactions(): Promise<number>;
  /** Waits until `backends` backends are waiting for a lock. */
  waitForLock(backends?: number): Promise<void>;
}

export function watchDatabase(client: pg.Client): WatchedDatabase {
  const number = async (text: string): Promise<number> => {
    // Within a transaction, session statistics are those of its first read.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(text);
    return rows[0]?.number ?? 0;
  };
  return {
    count: (table) => number(`SELECT count(*)::int AS number FROM ${table}`),
    openTransactions: () =>
      number(`SELECT count(*)::int AS number FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'rowgate' AND state LIKE 'idle in transaction%'`),
    async waitForLock(backends = 1) {
      const end = performance.now() + WAIT_MS;
      const waiting = `SELECT count(*)::int AS number FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await number(waiting)) < backends) {
        if (performance.now() > end) throw new Error('Nobody waits for a lock.');
        await sleep(POLL_MS);
      }
    },
  };
}
