import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbedded } from '../../src/embedded/start-embedded.js';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { buildEmbedded, startInOwnProcess } from './own-process.js';
import { parentPid, serverPid, siblingPids, untilEnded, untilGone } from './processes.js';

const onLinux = process.platform === 'linux';

let dataDirectory: string;
let directory: string;

beforeAll(buildEmbedded);

beforeEach(() => {
  directory = makeTemporaryDirectory();
  dataDirectory = join(directory, 'data');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('SIGKILL of the process also ends the server and removes its socket', async () => {
  const { report, kill } = await startInOwnProcess({ dataDirectory });
  const pid = serverPid(dataDirectory);
  await kill();
  await untilEnded(pid);
  await untilGone(report.host ?? '');
});

test('a start right after SIGKILL works', async () => {
  const killed = await startInOwnProcess({ dataDirectory });
  await killed.kill();
  const next = await startInOwnProcess({ dataDirectory });
  expect(next.report).toMatchObject({ dataDirectory });
  await next.stop();
});

test.skipIf(!onLinux)(
  'a server whose watchdog was killed too is stopped by the next start (needs /proc)',
  async () => {
    const killed = await startInOwnProcess({ dataDirectory });
    const pid = serverPid(dataDirectory);
    const watchdog = [...siblingPids(pid), parentPid(pid)];
    for (const part of watchdog) process.kill(part, 'SIGKILL');
    await killed.kill();
    const next = await startEmbedded({ dataDirectory });
    try {
      expect(next.stoppedOrphan).toBe(pid);
      expect(serverPid(dataDirectory)).not.toBe(pid);
      await untilEnded(pid);
      await withClient(next.connection, (client) => client.query('SELECT 1'));
    } finally {
      await next.stop();
      rmSync(killed.report.host ?? '', { recursive: true, force: true });
    }
  },
);

test('another process gets an error that names the folder and its user', async () => {
  const first = await startInOwnProcess({ dataDirectory });
  const second = await startInOwnProcess({ dataDirectory });
  await first.stop();
  expect(second.report).toMatchObject({ code: 'data-in-use' });
  expect(second.report.message).toContain(`process ${first.child.pid}`);
});
