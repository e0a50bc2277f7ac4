/** What this process may use of its machine: a container may have fewer cores and less memory. */
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import type { Host } from '../gateway/option.js';

/** The text of a file; undefined if it cannot be read. */
export type ReadText = (path: string) => string | undefined;

export function readHost(): Host {
  const cores = Math.min(availableParallelism(), Math.ceil(cpuQuota(readText) ?? Infinity));
  const memoryBytes = process.constrainedMemory();
  // Without a limit, some platforms answer 0 and others 2^64.
  const isLimited = memoryBytes > 0 && memoryBytes < totalmem();
  return { cores, ...(isLimited && { memoryBytes }) };
}

/**
 * How many processors the control group of this process may use on average, such as 1.5; undefined without a limit.
 * Node.js before 22 does not count it in `availableParallelism`. (Control Group v2, the Linux kernel, `cpu.max`; v1:
 * CFS Bandwidth Control, `cpu.cfs_quota_us`.)
 */
export function cpuQuota(read: ReadText): number | undefined {
  const groups = read('/proc/self/cgroup') ?? '';
  const unified = /^0::(\/.*)$/m.exec(groups)?.[1];
  const older = /^\d+:(?:[^:\n]*,)?cpu(?:,[^:\n]*)?:(\/.*)$/m.exec(groups)?.[1];
  const texts = [
    ...foldersOf('/sys/fs/cgroup', unified).map((folder) => read(`${folder}/cpu.max`)),
    ...foldersOf('/sys/fs/cgroup/cpu', older).map((folder) => {
      const quota = read(`${folder}/cpu.cfs_quota_us`);
      return quota && `${quota.trim()} ${read(`${folder}/cpu.cfs_period_us`)}`;
    }),
  ];
  // Without a limit, the quota is `max` or -1.
  const [, quota, period] = /^(\d+) (\d+)\s*$/.exec(texts.find(Boolean) ?? '') ?? [];
  return quota === undefined ? undefined : Number(quota) / Number(period);
}

/** Inside a container, the path may be that of the host, and its own group is then the root. */
function foldersOf(root: string, path = '/'): readonly string[] {
  return path === '/' ? [root] : [root + path, root];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
