/** The copy of the server's programs, if other processes and users make one at the same time. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { copyBinaries } from '../../src/embedded/copied-binaries.js';
import { makeTemporaryDirectory } from '../support/embedded.js';

const folder = makeTemporaryDirectory();
const copy = join(tmpdir(), `rowgate-postgresql-test.${process.pid}-${process.getuid?.()}`);
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(copy, { recursive: true, force: true });
});

/** Writes the programs of a package, or of a copy of it. */
function writePrograms(directory: string, names: readonly string[], text: string): void {
  for (const name of names) {
    const path = join(directory, 'native', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  // Whatever the umask is.
  chmodSync(directory, 0o755);
}

const programs = ['bin/initdb', 'bin/postgres'];

/** Makes a copy, during which `meanwhile` is called. Returns the text of its program. */
function copied(meanwhile: () => void): string {
  writePrograms(folder, programs, 'own');
  const native = copyBinaries({
    packageDirectory: folder,
    version: `test.${process.pid}`,
    account: undefined,
    addLinks: meanwhile,
  });
  expect(native).toBe(join(copy, 'native'));
  return readFileSync(join(native, 'bin', 'postgres'), 'utf8');
}

test('programs that others could have changed are not run', () => {
  const intrude = () => {
    writePrograms(copy, programs, 'foreign');
    chmodSync(copy, 0o777);
  };
  expect(() => copied(intrude)).toThrow(/belongs to another user/);
  expect(readFileSync(join(copy, 'native', 'bin', 'postgres'), 'utf8')).toBe('foreign');
});

test('a file in the place of the copy is not replaced', () => {
  expect(() => copied(() => writeFileSync(copy, ''))).toThrow(/belongs to another user/);
});

test('the copy of a process that was faster is used', () => {
  expect(copied(() => writePrograms(copy, programs, 'other'))).toBe('other');
});

test('a copy that lacks files is replaced', () => {
  expect(copied(() => writePrograms(copy, ['bin/initdb'], 'part'))).toBe('own');
  rmSync(join(copy, 'native', 'bin', 'initdb'));
  expect(copied(() => undefined)).toBe('own');
  expect(existsSync(join(copy, 'native', 'bin', 'initdb'))).toBe(true);
});

test('nothing else is left', () => {
  const unfinished = () => readdirSync(tmpdir()).filter((name) => name.startsWith('rowgate-copy-'));
  const before = unfinished();
  copied(() => writePrograms(copy, programs, 'other'));
  expect(unfinished()).toEqual(before);
});
