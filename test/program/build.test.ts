/** The lock of `scripts/build.mjs`, in a folder without a compiler. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';

const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

test('a build goes on although a killed one with the same number has left its lock', async () => {
  const folder = makeTemporaryDirectory();
  const compiler = join(folder, 'node_modules/typescript/bin');
  mkdirSync(compiler, { recursive: true });
  mkdirSync(join(folder, 'scripts'));
  cpSync(script, join(folder, 'scripts/build.mjs'));
  writeFileSync(join(compiler, 'tsc'), '');
  // The shell gives its number to the build.
  const line = `printf $$ > node_modules/.rowgate-build-lock; exec "${process.execPath}" scripts/build.mjs x`;
  await promisify(execFile)('/bin/sh', ['-c', line], { cwd: folder, timeout: 60_000 });
  expect(existsSync(join(folder, 'node_modules/.rowgate-build-lock'))).toBe(false);
});
