/** Where servers of tests keep their data: it is thrown away, and need not reach a disk. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux keeps files in memory there. */
const MEMORY = '/dev/shm';
/** Some hundred megabytes of rows, and what each server writes ahead. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

/** A folder in memory where there is one with enough room; otherwise that for temporary files. */
export function memoryDirectory(): string {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize < FREE_BYTES_MIN ? tmpdir() : MEMORY;
  } catch {
    return tmpdir();
  }
}
