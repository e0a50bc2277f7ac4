/** How a cluster is created: with a program in place of initdb that records its calls. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterOf, provideCluster } from '../../src/embedded/cluster.js';
import { makeTemporaryDirectory } from '../support/embedded.js';

test.each([
  ['durable', [expect.stringContaining('--no-sync'), expect.stringContaining('--sync-only')]],
  ['disposable', [expect.stringContaining('--no-sync')]],
] as const)('a new %s cluster is on disk as far as it must be', async (durability, calls) => {
  const dataDirectory = makeTemporaryDirectory();
  const initdb = join(dataDirectory, 'initdb');
  const record = join(dataDirectory, 'calls');
  // The name of the folder when it is called: the cluster has its final name only afterwards.
  writeFileSync(initdb, `#!/bin/sh\necho "$*" $(ls -d ${dataDirectory}/cluster*) >> ${record}\n`);
  chmodSync(initdb, 0o755);
  const binaries = { initdb, postgres: 'unused', major: '18' };
  await provideCluster({ dataDirectory, binaries, account: undefined, durability });
  const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual(calls);
  expect(lines.some((line) => line.endsWith(clusterOf(dataDirectory)))).toBe(false);
});
