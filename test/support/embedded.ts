/**
 * PostgreSQL for tests: databases on the embedded server of the run (see `global-setup.ts`). A test
 * that stops or measures its server starts a separate one.
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
    /** The server of the run. */
    embedded: EmbeddedConnection;
  }
}

/** A server whose data is deleted when it stops. */
export interface TestCluster {
  readonly connection: EmbeddedConnection;
  stop(): Promise<void>;
}

/** A database for one test. */
export interface ThrowawayDatabase {
  readonly connection: EmbeddedConnection;
  /** Ends the sessions of the database, and drops it. */
  drop(): Promise<void>;
}

/** Starts a server in a separate folder; `stop` deletes the folder. */
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

/**
 * Creates a database on the server of the run. `template` is the name of a database without sessions to
 * copy.
 */
export async function createThrowawayDatabase(template = 'template1'): Promise<ThrowawayDatabase> {
  const server = inject('embedded');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying the files takes half of the time of logging every block.
  await runOn(server, `CREATE DATABASE ${database} TEMPLATE "${template}" STRATEGY FILE_COPY`);
  return {
    connection: { ...server, database },
    drop: () => runOn(server, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`),
  };
}

/** Creates a database as a copy of the first one of that name in the run, which `fill` fills. */
export async function createCopy(
  name: string,
  fill: (connection: EmbeddedConnection) => Promise<void>,
): Promise<ThrowawayDatabase> {
  await withClient(inject('embedded'), async (client) => {
    // Test files run at the same time: one of them creates it, and the others wait.
    await client.query(`SELECT pg_advisory_lock(hashtext('${name}'))`);
    const found = `SELECT FROM pg_database WHERE datname = '${name}'`;
    if ((await client.query(found)).rowCount === 1) return;
    const { connection } = await createThrowawayDatabase();
    await fill(connection);
    await client.query(`ALTER DATABASE ${connection.database} RENAME TO ${name}`);
  });
  return createThrowawayDatabase(name);
}

/** Runs `work` with a client, and closes it. */
export async function withClient<Result>(
  connection: EmbeddedConnection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  // A lost connection also rejects what waits for it. Without a listener, it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Creates a temporary folder that every user can enter: the server runs as another user if this process
 * runs as root.
 */
export function makeTemporaryDirectory(prefix = 'rowgate-test-'): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(directory, 0o755);
  return directory;
}

async function runOn(server: EmbeddedConnection, sql: string): Promise<void> {
  await withClient(server, (client) => client.query(sql));
}
