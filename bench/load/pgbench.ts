/** pgbench: the same statements from a C client without HTTP, to see what HTTP and we cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConnection } from '../database.js';
import type { LoadResult } from './load.js';
import { measureChild } from './measure-child.js';

export const PGBENCH_CLIENTS = 16;
const GRACE_MS = 20_000;

export interface PgbenchOrder {
  readonly program: string;
  readonly connection: DatabaseConnection;
  /** Run by chance, one as often as the other; each is one request. */
  readonly scripts: readonly string[];
  readonly seconds: number;
  readonly directory: string;
}

/** Runs prepared statements on 16 connections; only the rate is known, not the latencies. */
export async function runPgbench(order: PgbenchOrder): Promise<LoadResult> {
  const { program, connection, scripts, seconds, directory } = order;
  const files = scripts.map((script, index) => {
    const file = join(directory, `pgbench-${index}.sql`);
    writeFileSync(file, script);
    return file;
  });
  const words = ['-n', '-M', 'prepared', '-c', String(PGBENCH_CLIENTS), '-j', '1'];
  const server = ['-h', connection.host, '-p', String(connection.port), '-U', connection.user];
  const child = {
    program,
    words: [
      ...[...words, '-T', String(seconds), ...files.flatMap((file) => ['-f', file])],
      ...[...server, connection.database],
    ],
    environment: { PGPASSWORD: connection.password ?? '' },
  };
  const { output, processorUs } = await measureChild(child, seconds * 1000 + GRACE_MS);
  const perSecond = output.match(/^tps = ([\d.]+) /m)?.[1];
  if (perSecond === undefined) throw new Error(`pgbench tells nothing:\n${output}`);
  const requestsPerSecond = Number(perSecond);
  return { requestsPerSecond, p50Us: undefined, p99Us: undefined, processorUs };
}
