/**
 * Stops a server that outlived its Rowgate process. Only the owner of the data folder calls this, so a
 * server that is running there belongs to nobody else.
 */
import { closeSync, openSync, readFileSync, realpathSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { processCommand, processDirectory } from './process-identity.js';

const POLL_MS = 20;
/** Above the largest pid of Linux (4194304) and macOS (99999), and with at least as many digits. */
const NO_PID = '2147483647';
/** Fast shutdown, immediate shutdown (PostgreSQL manual, "Shutting Down the Server"), and kill. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/**
 * Stops the server of `clusterDirectory`. Returns its pid, or undefined if none is running. If its pid belongs to
 * another process by now, the next server starts all the same. Throws `data-in-use`.
 */
export async function stopOrphan(clusterDirectory: string): Promise<number | undefined> {
  const pid = readPostmasterPid(clusterDirectory);
  if (pid === undefined) return undefined;
  if (!isServerOf(pid, clusterDirectory)) {
    if (isForeign(pid, clusterDirectory)) forgetPid(clusterDirectory);
    return undefined;
  }
  for (const { signal, waitMs } of STEPS) {
    send(pid, signal);
    if (await endsWithin(pid, clusterDirectory, waitMs)) return pid;
  }
  throw new EmbeddedError('data-in-use', `PostgreSQL (process ${pid}) does not stop.`);
}

/**
 * Whether the pid certainly belongs to no server of this folder, even one that was started by other means. A server's
 * current folder is its cluster.
 */
function isForeign(pid: number, clusterDirectory: string): boolean {
  const command = processCommand(pid);
  if (command === undefined || !/postgres|postmaster/.test(command)) return true;
  const directory = processDirectory(pid);
  return directory !== undefined && directory !== realpathSync(clusterDirectory);
}

/**
 * Replaces the pid in postmaster.pid by one that no process has. The file is not removed, because its other lines let
 * PostgreSQL find processes that still use the shared memory of the last server.
 */
function forgetPid(clusterDirectory: string): void {
  const path = join(clusterDirectory, 'postmaster.pid');
  const [, ...others] = readFileSync(path, 'utf8').split('\n');
  // Writes over the content, because PostgreSQL refuses an empty file.
  const file = openSync(path, 'r+');
  try {
    writeSync(file, [NO_PID, ...others].join('\n'));
  } finally {
    closeSync(file);
  }
}

/** The pid in the first line of postmaster.pid, which may belong to another process by now. */
function readPostmasterPid(clusterDirectory: string): number | undefined {
  try {
    const [line = ''] = readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(line);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether the pid belongs to the server of this folder, judged by its command line: pids are reused.
 */
function isServerOf(pid: number, clusterDirectory: string): boolean {
  const command = processCommand(pid);
  if (command === undefined) return false;
  return command.includes('postgres') && command.includes(`-D ${clusterDirectory} `);
}

async function endsWithin(pid: number, clusterDirectory: string, waitMs: number) {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    if (!isServerOf(pid, clusterDirectory)) return true;
    await delay(POLL_MS);
  }
  return false;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (systemCode(cause) === 'ESRCH') return;
    throw new EmbeddedError(
      'data-in-use',
      `PostgreSQL (process ${pid}) is still running on this data folder and belongs to another user. Stop it first.`,
      { cause },
    );
  }
}
