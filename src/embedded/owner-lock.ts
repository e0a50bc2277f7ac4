/**
 * Lets only one Rowgate process use a data folder, or change a file. The lock is a file with its owner's
 * pid and start time, so that a lock left behind by a killed process is recognized as stale.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { processStart } from './process-identity.js';

const ATTEMPTS = 10;

/** Takes the lock of a folder, and returns the function that releases it. Throws `data-in-use`. */
export function takeOwnership(dataDirectory: string): () => void {
  const lock = takeLock(join(dataDirectory, 'owner'));
  if (typeof lock === 'string') throw inUse(dataDirectory, lock);
  return lock;
}

/** Takes a lock, and returns the function that releases it, or the owner if another process has it. */
export function takeLock(file: string): (() => void) | string {
  const mine = `${process.pid} ${processStart(process.pid) ?? ''}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createWhole(file, mine)) return () => release(file, mine);
    const owner = readIfThere(file);
    if (owner === undefined) continue;
    if (isAlive(owner)) return owner;
    removeStale(file, owner);
  }
  return readIfThere(file) ?? '';
}

/** Creates a file with its content in one step: a hard link appears completely or not at all. */
function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isAlive(owner: string): boolean {
  const [pid = '', ...start] = owner.trim().split(' ');
  return /^\d+$/.test(pid) && processStart(Number(pid)) === start.join(' ');
}

/** Two processes may do this at once, so one that has moved away a new lock puts it back. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== stale) linkSync(aside, file);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(file: string, mine: string): void {
  if (readIfThere(file) === mine) rmSync(file, { force: true });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function inUse(dataDirectory: string, owner: string): EmbeddedError {
  const [pid] = owner.split(' ');
  const who = Number(pid) === process.pid ? 'this process' : `process ${pid}`;
  return new EmbeddedError(
    'data-in-use',
    `The data folder ${dataDirectory} is in use by ${who}. Stop that process, or choose another ` +
      'data folder.',
  );
}
