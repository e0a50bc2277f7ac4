/**
 * Lets only one Rowgate process use a data folder, or change a file. The lock is a file with its owner's
 * pid and start time, so that a lock left behind by a killed process is recognized as stale. They say nothing in
 * another container or after another boot, so the file also names those, and the owner of a folder touches it.
 */
import { randomUUID } from 'node:crypto';
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
/** How long a lock of another container is watched at least: its clock may differ, so its age alone says nothing. */
const WATCH_MS = 3 * TOUCH_MS;
/** The watchdog of a killed owner has stopped the server so long after the last touch. */
const STALE_MS = 20_000;
const POLL_MS = 100;

/** The start waits, at most for so long, because the last owner of the data folder was in another container. */
export interface WaitEvent {
  readonly kind: 'database-awaited';
  readonly dataDirectory: string;
  readonly waitMs: number;
}

/**
 * Takes the lock of a folder, and resolves to the function that releases it. If its owner was in another container,
 * reports that and waits until the owner touches it, or is certainly dead. Rejects with `data-in-use`.
 */
export async function takeOwnership(
  dataDirectory: string,
  report: (event: WaitEvent) => void,
): Promise<() => void> {
  const file = join(dataDirectory, 'owner');
  const release = await takeWatched(file, (waitMs) =>
    report({ kind: 'database-awaited', dataDirectory, waitMs }),
  );
  if (typeof release === 'string') throw inUse(dataDirectory, release);
  const timer = setInterval(() => touch(file), TOUCH_MS).unref();
  return () => {
    clearInterval(timer);
    release();
  };
}

/** Like `takeLock`, but ignores the lock of another container if its owner does not touch it for long enough. */
async function takeWatched(
  file: string,
  reportWait: (waitMs: number) => void,
): Promise<(() => void) | string> {
  const touched = touchedAt(file);
  const lock = takeLock(file);
  if (typeof lock !== 'string' || !isForeign(lock)) return lock;
  const restMs = STALE_MS - (Date.now() - touched);
  const watchMs = Math.round(Math.min(Math.max(restMs, WATCH_MS), STALE_MS));
  reportWait(watchMs);
  // Counted, because a clock goes on while a machine is suspended with all its containers.
  for (let polls = watchMs / POLL_MS; polls > 0; polls -= 1) {
    await delay(POLL_MS);
    // It was touched, or released.
    if (touchedAt(file) !== touched) return takeLock(file);
  }
  return takeLock(file, lock);
}

/**
 * Takes a lock, and returns the function that releases it, or the owner if another process has it. An owner in another
 * container counts as alive, unless it is the one that the caller knows to be dead.
 */
export function takeLock(file: string, dead?: string): (() => void) | string {
  const mine = `${process.pid} ${processStart(process.pid) ?? ''}\n${processPlace()}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createWhole(file, mine)) return () => release(file, mine);
    const owner = readIfThere(file);
    if (owner === undefined) continue;
    if (isForeign(owner) ? owner !== dead : isAlive(owner)) return owner;
    removeStale(file, owner);
  }
  return readIfThere(file) ?? '';
}

/** Creates a file with its content in one step: a hard link appears completely or not at all. */
function createWhole(file: string, content: string): boolean {
  // Processes of two containers may have the same pid.
  const draft = `${file}.${randomUUID()}.new`;
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
  const aside = `${file}.${randomUUID()}.stale`;
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
