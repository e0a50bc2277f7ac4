/**
 * Creates the cluster, which is PostgreSQL's data directory. initdb writes it under another name, and
 * it is renamed when it is complete, so that a folder with the final name is never incomplete.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { EmbeddedError } from './embedded-error.js';
import type { ServerAccount } from './server-account.js';
import { SERVER_ENVIRONMENT } from './server-environment.js';
import type { ServerChoice } from './server-settings.js';

const CREATE_TIMEOUT_MS = 120_000;
/** Long, because it also writes what other programs have left in memory. */
const SYNC_TIMEOUT_MS = 3_600_000;
/** The prefix of the names of incomplete clusters. */
const HALF_MADE = 'cluster.making';

/** Linux writes a whole file system in a tenth of a second, a thousand files one by one in seconds. */
const SYNC = ['--sync-only', ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : [])];

/** The superuser that initdb creates. It needs no password on the private socket. */
export const SERVER_USER = 'rowgate';

/** The path of the cluster in a data folder. */
export function clusterOf(dataDirectory: string): string {
  return join(dataDirectory, 'cluster');
}

/** The programs that create or run a cluster, its data folder, and the account. */
export interface ClusterOrder {
  readonly dataDirectory: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount | undefined;
}

/**
 * Creates the cluster unless it exists, and checks the version of an existing one. Throws
 * `version-mismatch`, `data-unusable` and `initialization-failed`.
 */
export async function provideCluster(
  order: ClusterOrder & Pick<ServerChoice, 'durability'>,
): Promise<void> {
  const cluster = clusterOf(order.dataDirectory);
  if (existsSync(cluster)) return checkVersion(cluster, order.binaries.major);
  removeHalfMade(order.dataDirectory);
  const making = join(order.dataDirectory, `${HALF_MADE}.${process.pid}`);
  mkdirSync(making, { mode: 0o700 });
  if (order.account !== undefined) chownSync(making, order.account.uid, order.account.gid);
  const words = ['-D', making, '-U', SERVER_USER, '-A', 'trust', '-E', 'UTF8'];
  words.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  const create = [...words, '--no-sync', '--no-instructions'];
  await runInitdb(create, order, CREATE_TIMEOUT_MS);
  // The server writes only what it changes to disk. Without the rest, a loss of power would lose the rows, too.
  const sync = [...SYNC, '-D', making];
  if (order.durability === 'durable') await runInitdb(sync, order, SYNC_TIMEOUT_MS);
  renameSync(making, cluster);
  if (order.durability === 'durable') syncFolder(order.dataDirectory);
}

/** Writes the names in a folder to disk. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes incomplete clusters. The initdb of a killed process may go on writing for up to a second. */
function removeHalfMade(dataDirectory: string): void {
  for (const name of readdirSync(dataDirectory).filter((entry) => entry.startsWith(HALF_MADE))) {
    rmSync(join(dataDirectory, name), { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
}

function checkVersion(cluster: string, major: string): void {
  const file = join(cluster, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (found === major) return;
  if (found === undefined) {
    throw new EmbeddedError('data-unusable', `${cluster} is not a PostgreSQL data folder.`);
  }
  throw new EmbeddedError(
    'version-mismatch',
    `${cluster} was created by PostgreSQL ${found}, but PostgreSQL ${major} is installed. Export the data with ` +
      'the version of Rowgate that created it and import it into a new data folder, or remove this one.',
  );
}

async function runInitdb(
  words: readonly string[],
  order: ClusterOrder,
  timeout: number,
): Promise<void> {
  let end = (): void => undefined;
  try {
    const child = spawn(order.binaries.initdb, words, {
      ...order.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout,
      // A separate process group if Ctrl-C in a terminal does not end us, or an end would look like a failure.
      detached: process.listenerCount('SIGINT') > 0,
    });
    end = () => void child.kill();
    process.once('exit', end);
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ending: readonly unknown[] = await once(child, 'close');
    const [status, signal] = ending;
    if (status !== 0)
      throw new Error(output.trim() || `initdb ended (${String(signal ?? status)}).`);
  } catch (cause) {
    throw new EmbeddedError('initialization-failed', failureText(cause), { cause });
  } finally {
    process.off('exit', end);
  }
}

function failureText(cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `The embedded PostgreSQL could not be set up: ${reason}\nTo use your own server, set DATABASE_URL.`;
}
