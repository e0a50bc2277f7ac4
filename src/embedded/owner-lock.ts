/**
 * Lets only one Rowgate process use a data folder, or change a file. The lock is a file with its owner's
 * pid and start time, so that a lock left behind by a killed process is recognized as stale. They say nothing in
 * another container or after another boot, so the file also names those, and the owner of a folder touches it.
 */
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedError, systemCode } from './embedded-error.js';
import { processPlace, processStart } from './process-identity.js';

const ATTEMPTS = 10;
const TOUCH_MS = 2_000;
/** The lock of another container is stale after this time: the watchdog of a killed owner has stopped the server by then. */
const FRESH_MS = 20_000;
const POLL_MS = 100;

/**
 * Takes the lock of a folder, and resolves to the function that releases it. If its owner was in another container,
 * waits until the owner touches it, or is certainly dead. Rejects with `data-in-use`.
 */
export async function takeOwnership(dataDirectory: string): Promise<() => void> {
  const file = join(dataDirectory, 'owner');
  const touched = touchedAt(file);
  let lock = takeLock(file);
  while (typeof lock === 'string' && isForeign(lock) && touchedAt(file) === touched) {
    await delay(POLL_MS);
    lock = takeLock(file);
  }
  if (typeof lock === 'string') throw inUse(dataDirectory, lock);
  const release = lock;
  const timer = setInterval(() => touch(file), TOUCH_MS).unref();
  return () => {
    clearInterval(timer);
    release();
  };
}

/** Takes a lock, and returns the function that releases it, or the owner if another process has it. */
export function takeLock(file: string): (() => void) | string {
  const mine = `${process.pid} ${processStart(process.pid) ?? ''}\n${processPlace()}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createWhole(file, mine)) return () => release(file, mine);
    const owner = readIfThere(file);
    if (owner === undefined) continue;
    if (isForeign(owner) ? isFresh(file) : isAlive(owner)) return owner;
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

/** Whether the pid of the owner says nothing here. Earlier versions did not write the place. */
function isForeign(owner: string): boolean {
  const [, place = ''] = owner.split('\n');
  return place !== '' && place !== processPlace();
}

function isFresh(file: string): boolean {
  return Math.abs(Date.now() - touchedAt(file)) < FRESH_MS;
}

/** When the owner last touched the file, in milliseconds since 1970; 0 if there is none. */
function touchedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Without its lock, such as in a folder that was removed, the owner goes on.
  }
}

function isAlive(owner: string): boolean {
  const [line = ''] = owner.split('\n');
  const [pid = '', ...start] = line.split(' ');
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
  const isOwn = Number(pid) === process.pid && !isForeign(owner);
  const who = isOwn
    ? 'this process'
    : `process ${pid}${isForeign(owner) ? ' of another container or machine' : ''}`;
  return new EmbeddedError(
    'data-in-use',
    `The data folder ${dataDirectory} is in use by ${who}. Stop that process, or choose another ` +
      'data folder.',
  );
}
