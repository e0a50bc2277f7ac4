/** The file of `--output`, whatever its name stands for. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
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

const output = new URL('../../dist/cli/output.js', import.meta.url).href;
const script = `
const [module, file] = process.argv.slice(1);
const { writeOutput } = await import(module);
// The superuser may write in every folder.
if (process.getuid() === 0) process.setuid(65534);
await writeOutput(file, ['new']);
`;

test('the target of a link is written although its folder may not be', () => {
  const folder = makeTemporaryDirectory();
  const target = join(folder, 'target.txt');
  const link = join(makeTemporaryDirectory(), 'link.txt');
  writeFileSync(target, 'old');
  symlinkSync(target, link);
  chmodSync(target, 0o666);
  chmodSync(dirname(link), 0o755);
  chmodSync(folder, 0o555);
  const words = ['--input-type=module', '-e', script, output, link];
  execFileSync(process.execPath, words, { cwd: '/', stdio: 'pipe' });
  chmodSync(folder, 0o755);
  expect([readFileSync(target, 'utf8'), readdirSync(folder)]).toEqual(['new', ['target.txt']]);
});

test('the open file that a link of the system names is written', () => {
  const file = join(makeTemporaryDirectory(), 'types.ts');
  const line = `"${process.execPath}" "${rowgate}" types --output /proc/self/fd/1 > ${file}`;
  execFileSync('/bin/sh', ['-c', line], { stdio: 'pipe' });
  expect(readFileSync(file, 'utf8')).toContain('Shippers');
});
