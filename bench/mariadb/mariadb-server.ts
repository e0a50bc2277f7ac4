/** A private MariaDB with the rows to read, which is deleted after the run. */
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mariadb, { type Connection } from 'mariadb';
import {
  type BenchDatabase,
  type DatabaseConnection,
  makeTemporaryDirectory,
} from '../database.js';
import { findProgram } from '../find-program.js';
import { freePort } from '../free-port.js';
import { pushTables } from '../rowgate-program.js';
import { type RowCounts, rowStatements } from '../rows.js';
import { type RunningProcess, runProcess, startProcess } from '../run-process.js';
import { sampleSchema } from '../sample-schema.js';

const START_MS = 60_000;
const POLL_MS = 50;
const NOBODY = 65_534;
const DATABASE = 'bench';

/**
 * Starts a server, lets Rowgate create the tables, and fills them. Throws if MariaDB is not
 * installed.
 */
export async function openMariadb(counts: RowCounts): Promise<BenchDatabase> {
  const program = findProgram('mariadbd') ?? '/usr/sbin/mariadbd';
  const directory = makeTemporaryDirectory();
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  let running: RunningProcess | undefined;
  try {
    const options = await install(directory);
    const port = await freePort();
    const words = [...options, ...settings(directory, port)];
    running = await startProcess({ program, words });
    const connection = { host: '127.0.0.1', port, user: 'root', database: DATABASE };
    const version = await createDatabase(connection, running);
    const rowgateWords = ['--schema', join(directory, 'schema.yaml')];
    writeFileSync(join(directory, 'schema.yaml'), sampleSchema('MariaDB', connection));
    await pushTables({}, rowgateWords);
    await withMariadb(connection, async (client) => {
      for (const statement of rowStatements('MariaDB', counts)) await client.query(statement);
    });
    const { pid: postmaster, stop: end } = running;
    const stop = () => end().finally(remove);
    return {
      dialect: 'MariaDB',
      connection,
      rowgateWords,
      socket: 'TCP',
      version,
      postmaster,
      stop,
    };
  } catch (error) {
    await running?.stop();
    remove();
    throw error;
  }
}

/** Runs `work` with a client that is closed afterwards. */
async function withMariadb<Result>(
  { host, port, user, database }: DatabaseConnection,
  work: (client: Connection) => Promise<Result>,
): Promise<Result> {
  const client = await mariadb.createConnection({ host, port, user, database });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function install(directory: string): Promise<readonly string[]> {
  const data = join(directory, 'data');
  const options = ['--no-defaults', `--datadir=${data}`];
  mkdirSync(data);
  if (process.getuid?.() === 0) {
    chownSync(directory, NOBODY, NOBODY);
    chownSync(data, NOBODY, NOBODY);
    options.push('--user=nobody');
  }
  const program = findProgram('mariadb-install-db') ?? 'mariadb-install-db';
  const words = [...options, '--skip-test-db', '--auth-root-authentication-method=normal'];
  await runProcess({ program, words: [...words, '--skip-name-resolve'] }, START_MS);
  return options;
}

function settings(directory: string, port: number): readonly string[] {
  return [
    `--socket=${join(directory, 'socket')}`,
    `--pid-file=${join(directory, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=256M',
    '--innodb-flush-log-at-trx-commit=0',
    '--performance-schema=OFF',
  ];
}

/** Creates the database as soon as the server answers, and returns the version of the server. */
async function createDatabase(
  { host, port, user }: DatabaseConnection,
  running: RunningProcess,
): Promise<string> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && !running.hasEnded) {
    const client = await mariadb.createConnection({ host, port, user }).catch(() => undefined);
    if (client === undefined) {
      await sleep(POLL_MS);
      continue;
    }
    await client.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4`);
    const version = client.serverVersion();
    await client.end();
    return version;
  }
  throw new Error(`MariaDB did not start:\n${running.tail()}`);
}
