/** `rowgate drop` on a terminal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));

test.each([
  ['no', 'no\r', ''],
  ['Ctrl-D', '\u0004', ''],
  ['Ctrl-D', '\u0004', '2> >(cat)'],
])('drop asks on a terminal, and does nothing without a yes: %s %j %s', async (_, keys, errors) => {
  const { PATH } = process.env;
  const line = `"${process.execPath}" "${rowgate}" drop ${errors}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    // Nothing listens there: doing something would be an error.
    env: { PATH, SHELL: '/bin/bash', TERM: 'xterm', DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
  await expect.poll(() => shown).toContain('Type yes to do it: ');
  child.stdin.write(keys);
  const [code]: unknown[] = await once(child, 'close');
  expect([code, shown]).toEqual([1, expect.not.stringMatching(/ECONNREFUSED|Warning/)]);
});
