/** Temporary folders in memory for the data of test servers, which need not be written to a disk. */
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
/** Enough for some hundred megabytes of rows and the write-ahead log of each server. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/**
 * Creates a folder that every user can enter, in memory if there is enough. Removes folders that killed
 * runs have left there.
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
