/** Finds processes: the server that runs on a folder, and whether a process has ended. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../src/embedded/process-identity.js';

const WAIT_MS = 15_000;

/** The pid of the server of a data folder. */
export function serverPid(dataDirectory: string): number {
  return Number(
    readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
}

/** The pid of the parent of a process. */
export function parentPid(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The pids of the siblings of a process. */
export function siblingPids(pid: number): readonly number[] {
  const parent = parentPid(pid);
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .map(Number)
    .filter((child) => child !== pid);
}

/** Waits until the process has ended. Throws if it does not end. */
export function untilEnded(pid: number): Promise<void> {
  return until(`process ${pid} ends`, () => processStart(pid) === undefined);
}

/** Waits until the path no longer exists. */
export function untilGone(path: string): Promise<void> {
  return until(`${path} is gone`, () => !existsSync(path));
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Timed out before ${what}.`);
    await delay(10);
  }
}
