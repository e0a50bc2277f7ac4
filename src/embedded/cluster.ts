/**
 * The cluster, PostgreSQL's own files: made by initdb under another name and renamed when it is
 * whole, so that a folder of the right name is never half-made.
 */
import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.js';
import { EmbeddedError } from './embedded-error.js';
import type { ServerAccount } from './server-account.js';
import { SERVER_ENVIRONMENT } from './server-environment.js';

const INITDB_TIMEOUT_MS = 120_000;
/** How the names of clusters begin that are not whole yet. */
const HALF_MADE = 'cluster.making';

/** The superuser that initdb makes; trusted on the private socket. */
export const SERVER_USER = 'rowgate';

/** Where the cluster of a data folder lies. */
export function clusterOf(dataDirectory: string): string {
  return join(dataDirectory, 'cluster');
}

/** Whose programs, where, and as whom. */
export interface ClusterOrder {
  readonly dataDirectory: string;
  readonly binaries: Binaries;
  readonly account: ServerAccount | undefined;
}

/** Makes the cluster unless it is there, and checks the version of one that is. */
export async function provideCluster(order: ClusterOrder): Promise<void> {
  const cluster = clusterOf(order.dataDirectory);
  if (existsSync(cluster)) return checkVersion(cluster, order.binaries.major);
  removeHalfMade(order.dataDirectory);
  const making = join(order.dataDirectory, `${HALF_MADE}.${process.pid}`);
  mkdirSync(making, { mode: 0o700 });
  if (order.account !== undefined) chownSync(making, order.account.uid, order.account.gid);
  await runInitdb(making, order);
  renameSync(making, cluster);
}

/** The initdb of a killed process may still be writing there, for a second at most. */
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
    `${cluster} was made by PostgreSQL ${found}, the installed one is ${major}. Export the data with ` +
      'the Rowgate that made it and import them into a new data folder, or remove this one.',
  );
}

async function runInitdb(directory: string, order: ClusterOrder): Promise<void> {
  const words = ['-D', directory, '-U', SERVER_USER, '-A', 'trust', '-E', 'UTF8'];
  words.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  // The data reach the disk with the first checkpoint; `--no-sync` saves a third of the time.
  words.push('--no-sync', '--no-instructions');
  try {
    await promisify(execFile)(order.binaries.initdb, words, {
      ...order.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      timeout: INITDB_TIMEOUT_MS,
    });
  } catch (cause) {
    throw new EmbeddedError('initialization-failed', failureText(cause), { cause });
  }
}

function failureText(cause: unknown): string {
  const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : '';
  const reason = output || (cause instanceof Error ? cause.message : String(cause));
  return `The embedded PostgreSQL could not be set up: ${reason}\nDATABASE_URL names a server of your own.`;
}
