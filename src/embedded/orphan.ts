/**
 * Stops a server that outlived its Rowgate process. Only the owner of the data folder calls this, so a
 * server that is running there belongs to nobody else.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { processCommand } from './process-identity.js';

const POLL_MS = 20;
/** Fast shutdown, immediate shutdown (PostgreSQL manual, "Shutting Down the Server"), and kill. */
const STEPS = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/**
 * Stops the server of `clusterDirectory`. Returns its pid, or undefined if none is running. Throws
 * `data-in-use`.
 */
export async function stopOrphan(clusterDirectory: string): Promise<number | undefined> {
  const pid = readPostmasterPid(clusterDirectory);
  if (pid === undefined || !isServerOf(pid, clusterDirectory)) return undefined;
  for (const { signal, waitMs } of STEPS) {
    send(pid, signal);
    if (await endsWithin(pid, clusterDirectory, waitMs)) return pid;
  }
  throw new EmbeddedError('data-in-use', `PostgreSQL (process ${pid}) does not stop.`);
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
