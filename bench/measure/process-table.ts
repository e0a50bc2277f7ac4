/**
 * Reads what Linux reports about processes and threads in /proc: processor time, memory, parents.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The clock of /proc has a hundred ticks per second on every Linux that Node supports. */
const TICK_US = 10_000;
/** Repeats the work until none of the processes has ended meanwhile. */
const LOOKS_MAX = 20;

/** The fields of a stat file after the name, which may itself contain spaces and parentheses. */
const STAT = { state: 0, parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 };

/** The processor time of a process so far, in µs; undefined if it has ended. */
export function processorUs(pid: number): number | undefined {
  return busyUs(`/proc/${pid}/stat`);
}

/** The same for each of its threads, by thread id. */
export function threadProcessorUs(pid: number): ReadonlyMap<number, number> {
  const threads = new Map<number, number>();
  for (const tid of numbersIn(`/proc/${pid}/task`)) {
    const us = busyUs(`/proc/${pid}/task/${tid}/stat`);
    if (us !== undefined) threads.set(tid, us);
  }
  return threads;
}

/** The processor time of a process and its children, including children that have ended. */
export function familyProcessorUs(pid: number): number {
  for (let look = 1; ; look += 1) {
    const ended = endedChildrenUs(pid);
    let total = ended + (processorUs(pid) ?? 0);
    for (const child of childrenOf(pid)) total += processorUs(child) ?? 0;
    // A child that ended meanwhile was not counted, or will be counted twice.
    if (endedChildrenUs(pid) === ended || look === LOOKS_MAX) return total;
  }
}

/** The running child processes of a process. */
export function childrenOf(pid: number): readonly number[] {
  return numbersIn('/proc').filter((child) => parentOf(child) === pid);
}

function endedChildrenUs(pid: number): number {
  const stat = readStat(`/proc/${pid}/stat`);
  if (stat === undefined) return 0;
  return (field(stat, STAT.childrenUser) + field(stat, STAT.childrenSystem)) * TICK_US;
}

/** The parent's pid; undefined if there is no such process. */
export function parentOf(pid: number): number | undefined {
  const stat = readStat(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : field(stat, STAT.parent);
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number | undefined {
  const status = readText(`/proc/${pid}/status`);
  const kibibytes = status?.match(/^VmRSS:\s*(\d+) kB$/m)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

function busyUs(path: string): number | undefined {
  const stat = readStat(path);
  return stat && (field(stat, STAT.user) + field(stat, STAT.system)) * TICK_US;
}

function readStat(path: string): readonly string[] | undefined {
  const text = readText(path);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function field(stat: readonly string[], index: number): number {
  return Number(stat[index] ?? 0);
}

/** Undefined on systems without /proc, too. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function numbersIn(path: string): readonly number[] {
  try {
    return readdirSync(path).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
