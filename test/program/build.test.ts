/** The lock of `scripts/build.mjs`, in a folder without a compiler, and the files that later builds remove. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
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

const remover = new URL('../../scripts/remove-superseded.mjs', import.meta.url).href;

test.each([
  ['with', ['old.js']],
  ['without', []],
])('files stay for a day after they are replaced, %s a list of the last ones', async (_, last) => {
  const { removeSuperseded } = (await import(remover)) as {
    removeSuperseded: (dist: string, names: readonly string[]) => void;
  };
  const folder = makeTemporaryDirectory();
  const program = join(folder, 'program');
  const build = (...names: readonly string[]) => {
    for (const name of names) writeFileSync(join(program, name), '');
    removeSuperseded(`${folder}/`, names);
    return readdirSync(program);
  };
  const yesterday = Date.now() / 1000 - 86_401;
  mkdirSync(program);
  if (last.length > 0) build(...last);
  else writeFileSync(join(program, 'old.js'), '');
  // It was in use until now.
  utimesSync(join(program, 'old.js'), yesterday, yesterday);
  expect(build('new.js')).toEqual(['new.js', 'old.js']);
  expect(build('newer.js')).toEqual(['new.js', 'newer.js', 'old.js']);
  utimesSync(join(program, 'old.js'), yesterday, yesterday);
  expect(build('newest.js')).toEqual(['new.js', 'newer.js', 'newest.js']);
});
