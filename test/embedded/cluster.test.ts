/** How a cluster is created: with a program in place of initdb that records its calls, or takes long. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterOf, provideCluster } from '../../src/embedded/cluster.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { untilEnded } from './processes.js';

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

const modules = new URL('../../dist/embedded/cluster.js', import.meta.url).href;
const script = `
const [modules, handled, dataDirectory, initdb] = process.argv.slice(1);
const { provideCluster } = await import(modules);
if (handled === 'true') process.on('SIGINT', () => process.exit(1));
const binaries = { initdb, postgres: 'unused', major: '18' };
await provideCluster({ dataDirectory, binaries, account: undefined, durability: 'durable' });
`;

test.each([true, false])(
  'Ctrl-C that ends the program ends initdb, too (a handler ends it: %s)',
  async (isHandled) => {
    const dataDirectory = makeTemporaryDirectory();
    const initdb = join(dataDirectory, 'initdb');
    const pid = join(dataDirectory, 'pid');
    writeFileSync(
      initdb,
      `#!/bin/sh\necho $$ > ${pid}.part\nmv ${pid}.part ${pid}\nexec sleep 60\n`,
    );
    chmodSync(initdb, 0o755);
    const words = ['--input-type=module', '-e', script, modules, String(isHandled)];
    const child = spawn(process.execPath, [...words, dataDirectory, initdb], {
      // A process group, as a terminal has one for each command.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    await expect.poll(() => existsSync(pid), { interval: 5, timeout: 20_000 }).toBe(true);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
    await untilEnded(Number(readFileSync(pid, 'utf8')));
  },
);
