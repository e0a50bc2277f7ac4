/**
 * PostgreSQL for tests: databases on the embedded server of the run (see `global-setup.ts`). A test that
 * stops its server, or measures it, starts one of its own.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { type EmbeddedConnection, startEmbedded } from '../../src/embedded/start-embedded.js';
import { makeMemoryDirectory } from './memory-directory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's server. */
    embedded: EmbeddedConnection;
  }
}

/** A server that forgets everything when it stops. */
export interface TestCluster {
  readonly connection: EmbeddedConnection;
  stop(): Promise<void>;
}

/** A database of its own. */
export interface ThrowawayDatabase {
  readonly connection: EmbeddedConnection;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
}

/** Starts a server in a folder of its own; `stop` deletes the folder. */
export async function startTestCluster(): Promise<TestCluster> {
  const directory = makeMemoryDirectory('rowgate-postgresql-');
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    const database = await startEmbedded({ dataDirectory: directory, durability: 'disposable' });
    return { connection: database.connection, stop: () => database.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes a database on the run's server; with `template`, the name of one without sessions, a copy of that. */
export async function createThrowawayDatabase(template = 'template1'): Promise<ThrowawayDatabase> {
  const server = inject('embedded');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(server, `CREATE DATABASE ${database} TEMPLATE "${template}"`);
  return {
    connection: { ...server, database },
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  };
}

/** Runs `work` with a client that is closed afterwards. */
export async function withClient<Result>(
  connection: EmbeddedConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A temporary folder that every user can enter: the server runs as another one when we are root. */
export function makeTemporaryDirectory(prefix = 'rowgate-test-'): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(directory, 0o755);
  return directory;
}

async function runOn(server: EmbeddedConnection, sql: string): Promise<void> {
  await withClient(server, (client) => client.query(sql));
}
