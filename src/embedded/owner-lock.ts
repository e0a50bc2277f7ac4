/**
 * One Rowgate a data folder. The lock is a file that names its owner, a pid together with the time
 * that the process started, so that a lock left behind by a killed process is known as such.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { processStart } from './process-identity.js';

const ATTEMPTS = 10;

/** Takes the folder, or throws `data-in-use`. Returns the function that gives it back. */
export function takeOwnership(dataDirectory: string): () => void {
  const file = join(dataDirectory, 'owner');
  const mine = `${process.pid} ${processStart(process.pid) ?? ''}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createWhole(file, mine)) return () => release(file, mine);
    const owner = readIfThere(file);
    if (owner === undefined) continue;
    if (isAlive(owner)) throw inUse(dataDirectory, owner);
    removeStale(file, owner);
  }
  throw inUse(dataDirectory, readIfThere(file) ?? '');
}

/** A hard link appears at once and with its content, or not at all. */
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

/** Two may see the same stale lock: whoever moves away a fresh one by mistake puts it back. */
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
    `The data folder ${dataDirectory} is in use by ${who}. Stop that one first, or choose another ` +
      'data folder.',
  );
}
