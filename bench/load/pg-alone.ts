/** Starts the process that reads through pg, one read at a time. */
import { fileURLToPath } from 'node:url';
import type { DatabaseConnection } from '../database.js';
import type { AloneSummary } from '../servers/pg-alone.js';
import type { LoadResult } from './load.js';
import { measureChild } from './measure-child.js';

const GRACE_MS = 20_000;

export interface PgAloneOrder {
  readonly connection: DatabaseConnection;
  /** A statement with one placeholder, `$1`. */
  readonly statement: string;
  /** Values of the placeholder go from 1 to this one. */
  readonly idMax: number;
  readonly seconds: number;
}

export async function runPgAlone(order: PgAloneOrder): Promise<LoadResult> {
  const { connection, statement, idMax, seconds } = order;
  const script = fileURLToPath(new URL('../servers/pg-alone.js', import.meta.url));
  const words = [script, JSON.stringify(connection), statement, String(idMax), String(seconds)];
  const child = { program: process.execPath, words };
  const { output, processorUs } = await measureChild(child, seconds * 1000 + GRACE_MS);
  const summary: AloneSummary = JSON.parse(output);
  return { ...summary, processorUs };
}
