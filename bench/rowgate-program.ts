/** The command-line program of Rowgate in this checkout. */
import { fileURLToPath } from 'node:url';
import type { DatabaseConnection } from './database.js';
import { runProcess } from './run-process.js';

const PUSH_TIMEOUT_MS = 60_000;

export const rowgateProgram = fileURLToPath(new URL('../dist/program/rowgate.js', import.meta.url));

/** The environment in which Rowgate serves this database. */
export function rowgateEnvironment(connection: DatabaseConnection): Record<string, string> {
  return { DATABASE_URL: JSON.stringify(connection) };
}

/**
 * Creates the tables of the sample domain, or of the schema that the arguments name, with Rowgate.
 */
export async function pushTables(
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<void> {
  const push = { program: process.execPath, words: [rowgateProgram, 'push', ...words] };
  await runProcess({ ...push, environment }, PUSH_TIMEOUT_MS);
}
