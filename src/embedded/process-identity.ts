/**
 * Tells processes apart: a pid alone may have been given to another program since it was written
 * down. Reads /proc on Linux and asks `ps` elsewhere.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const PS_TIMEOUT_MS = 5_000;
/** Field 22 of /proc/PID/stat, counted from the first one behind the command's name (proc(5)). */
const START_TIME_FIELD = 22 - 3;

/** When the process started, as a text to compare; undefined when no such process lives. */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'lstart=');
  const stat = readProcessFile(pid, 'stat');
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return isDead(fields[0]) ? undefined : fields[START_TIME_FIELD];
}

/** The command line of a living process, words joined by spaces; undefined when none lives. */
export function processCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  const words = readProcessFile(pid, 'cmdline');
  return words === undefined || words === '' ? undefined : words.split('\0').join(' ').trim();
}

/** A zombie has ended; it only waits for its parent to notice. */
function isDead(state: string | undefined): boolean {
  return state === 'Z' || state === 'X';
}

function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // ENOENT and ESRCH: it has ended. Other errors leave us as ignorant as those.
    return undefined;
  }
}

function askPs(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_TIMEOUT_MS,
    });
    return output.trim() || undefined;
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}
