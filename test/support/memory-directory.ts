/** Where servers of tests keep their data: it is thrown away, and need not reach a disk. */
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps files in memory there. */
const MEMORY = '/dev/shm';
/** Some hundred megabytes of rows, and what each server writes ahead. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Makes a folder in memory, where there is enough, that every user can enter. Removes what runs that
 * were killed have left there.
 */
export function makeMemoryDirectory(prefix: string): string {
  const parent = isUsable(MEMORY) ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length)) : Number.NaN;
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
  const directory = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  chmodSync(directory, 0o755);
  return directory;
}

function isUsable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
