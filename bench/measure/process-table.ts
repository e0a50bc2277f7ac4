/** What Linux tells about processes and threads in /proc: processor time, memory, parents. */
import { readdirSync, readFileSync } from 'node:fs';

/** The clock of /proc ticks a hundred times a second on every Linux that Node runs on. */
const TICK_US = 10_000;
/** Until none of the processes that are looked at ends meanwhile. */
const LOOKS_MAX = 20;

/** The fields of a stat file after the name, which may itself hold spaces and parentheses. */
const STAT = { state: 0, parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 };

/** The processor time of a process so far, in µs; undefined when it has ended. */
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

/** The processor time of a process and its children, those that have ended among them. */
export function familyProcessorUs(pid: number): number {
  for (let look = 1; ; look += 1) {
    const ended = endedChildrenUs(pid);
    let total = ended + (processorUs(pid) ?? 0);
    for (const child of childrenOf(pid)) total += processorUs(child) ?? 0;
    // A child that ended meanwhile was counted not at all, or will be counted twice.
    if (endedChildrenUs(pid) === ended || look === LOOKS_MAX) return total;
  }
}

/** The processes that it has started and that have not ended. */
export function childrenOf(pid: number): readonly number[] {
  return numbersIn('/proc').filter((child) => parentOf(child) === pid);
}

function endedChildrenUs(pid: number): number {
  const stat = readStat(`/proc/${pid}/stat`);
  if (stat === undefined) return 0;
  return (field(stat, STAT.childrenUser) + field(stat, STAT.childrenSystem)) * TICK_US;
}

/** The parent's pid; undefined when there is no such process. */
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

/** Undefined also where there is no /proc. */
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
