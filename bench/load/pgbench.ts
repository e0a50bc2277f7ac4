/**
 * Load by pgbench: the same statements from a C client without HTTP, to show what HTTP and Rowgate
 * cost.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConnection } from '../database.js';
import type { LoadResult } from './load.js';
import { measureChild } from './measure-child.js';

export const PGBENCH_CLIENTS = 16;
const GRACE_MS = 20_000;
const LEAD_SECONDS = 0.5;
const LEAD_SECONDS_A_SCRIPT = 0.02;

export interface PgbenchOrder {
  readonly program: string;
  readonly connection: DatabaseConnection;
  /** Chosen at random with equal probability; each is one request. */
  readonly scripts: readonly string[];
  readonly seconds: number;
  readonly directory: string;
}

/**
 * Runs prepared statements on 16 connections. Only the rate is known, not the latencies. pgbench
 * prepares each statement anew on each connection, which servers have done before they are
 * measured, so the rate is that of the last `seconds`.
 */
export async function runPgbench(order: PgbenchOrder): Promise<LoadResult> {
  const { program, connection, scripts, seconds, directory } = order;
  const files = scripts.flatMap((script, index) => {
    const file = join(directory, `pgbench-${index}.sql`);
    writeFileSync(file, script);
    return ['-f', file];
  });
  const allSeconds = seconds + Math.ceil(LEAD_SECONDS + scripts.length * LEAD_SECONDS_A_SCRIPT);
  const words = ['-n', '-M', 'prepared', '-c', String(PGBENCH_CLIENTS), '-j', '1', '-P', '1'];
  const server = ['-h', connection.host, '-p', String(connection.port), '-U', connection.user];
  const child = {
    program,
    words: [...words, '-T', String(allSeconds), ...files, ...server, connection.database],
    environment: { PGPASSWORD: connection.password ?? '' },
  };
  const measured = await measureChild(child, allSeconds * 1000 + GRACE_MS);
  const { output, errors, processorUs } = measured;
  const requests = Number(output.match(/^number of transactions actually processed: (\d+)/m)?.[1]);
  const rates = [...errors.matchAll(/^progress: .* s, ([\d.]+) tps/gm)].map(([, tps]) =>
    Number(tps),
  );
  const counted = rates.slice(-seconds);
  if (counted.length === 0 || Number.isNaN(requests)) {
    throw new Error(`pgbench printed no result:\n${output}`);
  }
  const requestsPerSecond = counted.reduce((sum, rate) => sum + rate, 0) / counted.length;
  return { requests, requestsPerSecond, p50Us: undefined, p99Us: undefined, processorUs };
}
