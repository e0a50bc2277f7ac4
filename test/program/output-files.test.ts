/** The file of `--output`, whatever its name stands for. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { runCommand } from '../support/program.js';

const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));

test('a link stays one, and its target gets the output', async () => {
  const folder = makeTemporaryDirectory();
  const link = join(folder, 'link.ts');
  const target = join(makeTemporaryDirectory(), 'target.ts');
  symlinkSync(target, link);
  // First there is no target, then one that is replaced.
  for (const isThere of [false, true]) {
    expect(existsSync(target)).toBe(isThere);
    if (isThere) writeFileSync(target, 'old', { mode: 0o600 });
    const { code, stderr } = await runCommand(['types', '--output', link]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(target, 'utf8')).toContain('Shippers');
    expect([lstatSync(link).isSymbolicLink(), readdirSync(folder)]).toEqual([true, ['link.ts']]);
  }
});

test('the open file that a link of the system names is written', () => {
  const file = join(makeTemporaryDirectory(), 'types.ts');
  const line = `"${process.execPath}" "${rowgate}" types --output /proc/self/fd/1 > ${file}`;
  execFileSync('/bin/sh', ['-c', line], { stdio: 'pipe' });
  expect(readFileSync(file, 'utf8')).toContain('Shippers');
});
