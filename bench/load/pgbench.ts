/** pgbench: the same statement from a C client without HTTP, to see what HTTP and we cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConnection } from '../database.js';
import type { LoadResult } from './load.js';
import { measureChild } from './measure-child.js';

const CLIENTS = 16;
const GRACE_MS = 20_000;

export interface PgbenchOrder {
  readonly program: string;
  readonly connection: DatabaseConnection;
  /** A statement with one placeholder, `$1`. */
  readonly statement: string;
  /** Values of the placeholder go from 1 to this one. */
  readonly idMax: number;
  readonly seconds: number;
  readonly directory: string;
}

/** Runs prepared point reads on 16 connections; only the rate is known, not the latencies. */
export async function runPgbench(order: PgbenchOrder): Promise<LoadResult> {
  const { connection, seconds } = order;
  const script = join(order.directory, 'pgbench.sql');
  const statement = order.statement.replaceAll('$1', ':id');
  writeFileSync(script, `\\set id random(1, ${order.idMax})\n${statement};\n`);
  const words = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', '-T', String(seconds)];
  const server = ['-h', connection.host, '-p', String(connection.port), '-U', connection.user];
  const child = {
    program: order.program,
    words: [...words, '-f', script, ...server, connection.database],
    environment: { PGPASSWORD: connection.password ?? '' },
  };
  const { output, processorUs } = await measureChild(child, seconds * 1000 + GRACE_MS);
  const perSecond = output.match(/^tps = ([\d.]+) /m)?.[1];
  if (perSecond === undefined) throw new Error(`pgbench tells nothing:\n${output}`);
  const requestsPerSecond = Number(perSecond);
  return { requestsPerSecond, p50Us: undefined, p99Us: undefined, processorUs };
}
