/** sysbench: the same statement, prepared, from a C client without HTTP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConnection } from '../database.js';
import type { LoadResult } from '../load/load.js';
import { measureChild } from '../load/measure-child.js';

/** Each a connection of its own. */
export const SYSBENCH_THREADS = 16;
const GRACE_MS = 20_000;

export interface SysbenchOrder {
  readonly program: string;
  readonly connection: DatabaseConnection;
  /** A statement with one placeholder, `?`. */
  readonly statement: string;
  /** Values of the placeholder go from 1 to this one. */
  readonly idMax: number;
  readonly seconds: number;
  readonly directory: string;
}

/** Runs prepared point reads; only the rate is told. */
export async function runSysbench(order: SysbenchOrder): Promise<LoadResult> {
  const { program, connection, seconds, directory } = order;
  const script = join(directory, 'point.lua');
  writeFileSync(script, scriptOf(order));
  const { host, port, user, database } = connection;
  const server = ['--db-driver=mysql', `--mysql-host=${host}`, `--mysql-port=${port}`];
  const words = [...server, `--mysql-user=${user}`, `--mysql-db=${database}`];
  const run = [`--threads=${SYSBENCH_THREADS}`, `--time=${seconds}`, script, 'run'];
  const child = { program, words: [...words, ...run] };
  const { output, processorUs } = await measureChild(child, seconds * 1000 + GRACE_MS);
  const perSecond = output.match(/transactions:\s+\d+\s+\(([\d.]+) per sec/)?.[1];
  if (perSecond === undefined) throw new Error(`sysbench tells nothing:\n${output}`);
  const requestsPerSecond = Number(perSecond);
  return { requestsPerSecond, p50Us: undefined, p99Us: undefined, processorUs };
}

function scriptOf({ statement, idMax }: SysbenchOrder): string {
  return `
function thread_init()
  connection = sysbench.sql.driver():connect()
  statement = connection:prepare(${JSON.stringify(statement)})
  id = statement:bind_create(sysbench.sql.type.INT)
  statement:bind_param(id)
end
function event()
  id:set(sysbench.rand.uniform(1, ${idMax}))
  statement:execute():free()
end
function thread_done()
  statement:close()
  connection:disconnect()
end
`;
}
