/** Who can read a file of keys after the command `keys` has changed it. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../../src/gateway/access/keys-file.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { runCommand } from '../support/program.js';

const KEYS_FILE = new URL('../../dist/gateway/access/keys-file.js', import.meta.url).href;
const ONE_KEY = JSON.stringify({ keys: [{ name: 'one', hash: digestOf('x') }] });
const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a changed file of keys keeps its owner, its permissions and the link that leads to it', async () => {
  const file = join(folder, 'kept.json');
  writeFileSync(file, ONE_KEY);
  // Only root may give a file away.
  const [uid, gid] =
    process.getuid?.() === 0 ? [65_533, 65_532] : [statSync(file).uid, statSync(file).gid];
  chownSync(file, uid, gid);
  chmodSync(file, 0o640);
  const link = `${file}.link`;
  symlinkSync(file, link);
  const { code } = await runCommand(['keys', 'revoke', 'one'], { ROWGATE_KEYS_FILE: link });
  const { uid: owner, gid: group, mode } = statSync(file);
  expect([code, owner, group, mode & 0o777]).toEqual([0, uid, gid, 0o640]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ keys: [] });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

describe.runIf(process.getuid?.() === 0)('by a user who is not root (needs root)', () => {
  /** Revokes the only key of a file with this owner, group and mode as user and group 65533. */
  function revoke(uid: number, gid: number, mode: number) {
    const place = makeTemporaryDirectory();
    onTestFinished(() => rmSync(place, { recursive: true }));
    const file = join(place, 'keys.json');
    writeFileSync(file, ONE_KEY);
    chownSync(file, uid, gid);
    chmodSync(file, mode);
    chownSync(place, 65_533, 65_533);
    const change = `import { writePrivately } from ${JSON.stringify(KEYS_FILE)};
      process.setgroups([]);
      process.setgid(65533);
      process.setuid(65533);
      writePrivately(${JSON.stringify(file)}, { keys: [] });`;
    const words = ['--input-type=module', '-e', change];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    const { keys } = JSON.parse(readFileSync(file, 'utf8'));
    return { status, stderr, keys, file, files: readdirSync(place) };
  }

  test.each([
    ['of another user', 0, 65_533, 0o644],
    ['whose group has permissions and is not one of the user', 65_533, 0, 0o640],
  ])('a file %s is unchanged: the server could not read a new one', (_, uid, gid, mode) => {
    const { status, stderr, keys, files } = revoke(uid, gid, mode);
    expect(stderr).toContain('is unchanged, because it belongs to another user or group');
    expect([status, files]).toEqual([1, ['keys.json']]);
    expect(keys).toHaveLength(1);
  });

  test('a private file of the user is changed, although its group is not one of the user', () => {
    const { status, stderr, keys, file } = revoke(65_533, 0, 0o600);
    expect([status, stderr, keys]).toEqual([0, '', []]);
    const { uid, mode } = statSync(file);
    expect([uid, mode & 0o777]).toEqual([65_533, 0o600]);
  });
});
