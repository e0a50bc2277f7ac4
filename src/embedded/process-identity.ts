/** Identifies processes by more than a pid, which may be reused: by /proc on Linux, by `ps` elsewhere. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { SERVER_ENVIRONMENT } from './server-environment.js';

const PS_TIMEOUT_MS = 5_000;
/** Field 22 of /proc/PID/stat, counted from the first field after the command's name (proc(5)). */
const START_TIME_FIELD = 22 - 3;

/**
 * The start time of a process, as a string for comparisons; undefined if there is no such process.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'lstart=');
  const stat = readProcessFile(pid, 'stat');
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended, and only waits for its parent.
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[START_TIME_FIELD];
}

/** With its words separated by spaces; undefined if there is no such process. */
export function processCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  const words = readProcessFile(pid, 'cmdline');
  return words === undefined || words === '' ? undefined : words.split('\0').join(' ').trim();
}

/** The current folder of a process; undefined if there is no such process, or the system does not tell. */
export function processDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * Where pids and start times name processes: the boot and the pid namespace, which differs between containers. Empty if
 * the system does not tell.
 */
export function processPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

function readProcessFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // ENOENT and ESRCH mean that the process has ended. Any other error is unexpected.
    return undefined;
  }
}

function askPs(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      // Start times are written in the language and the time zone of the environment, which others may not share.
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PS_TIMEOUT_MS,
    });
    return output.trim() || undefined;
  } catch {
    // ps exits with 1 if there is no such process.
    return undefined;
  }
}
