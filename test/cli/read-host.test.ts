import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { cpuQuota, readHost } from '../../src/project/read-host.js';

const quotaIn = (files: Readonly<Record<string, string>>) => cpuQuota((path) => files[path]);

it.each([
  ['half a core', '50000 100000\n', 0.5],
  ['one and a half', '150000 100000\n', 1.5],
  ['no limit', 'max 100000\n', undefined],
])('reads the CPU limit of a container: %s', (_, limit, quota) => {
  const groups = { '/proc/self/cgroup': '0::/\n' };
  expect(quotaIn({ ...groups, '/sys/fs/cgroup/cpu.max': limit })).toBe(quota);
});

it('reads the limit of the own group, or of the root if the path is that of the host', () => {
  const groups = { '/proc/self/cgroup': '0::/system.slice/rowgate.service\n' };
  const root = { '/sys/fs/cgroup/cpu.max': '400000 100000\n' };
  const own = { '/sys/fs/cgroup/system.slice/rowgate.service/cpu.max': '200000 100000\n' };
  expect(quotaIn({ ...groups, ...root, ...own })).toBe(2);
  expect(quotaIn({ ...groups, ...root })).toBe(4);
});

it('reads the limit of control groups of version 1', () => {
  const groups = { '/proc/self/cgroup': '5:cpuset:/\n4:cpu,cpuacct:/docker/a1\n0::/\n' };
  const folder = '/sys/fs/cgroup/cpu';
  const limit = (quota: string) => ({
    ...groups,
    [`${folder}/cpu.cfs_quota_us`]: `${quota}\n`,
    [`${folder}/cpu.cfs_period_us`]: '100000\n',
  });
  expect(quotaIn(limit('300000'))).toBe(3);
  expect(quotaIn(limit('-1'))).toBeUndefined();
});

it('has all cores without control groups, and no limit that is larger than the memory', () => {
  expect(quotaIn({})).toBeUndefined();
  const { cores, memoryBytes = 1 } = readHost();
  expect(cores).toBeLessThanOrEqual(availableParallelism());
  expect(cores).toBeGreaterThan(0);
  expect(memoryBytes).toBeGreaterThan(0);
});
