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
import { afterAll, expect, test } from 'vitest';
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

test.runIf(process.getuid?.() === 0)(
  'a key is not revoked by a user whose file the server could not read (needs root)',
  async () => {
    const place = makeTemporaryDirectory();
    const file = join(place, 'keys.json');
    writeFileSync(file, ONE_KEY);
    chownSync(place, 65_533, 65_533);
    const revoke = `import { writePrivately } from ${JSON.stringify(KEYS_FILE)};
      process.setuid(65533);
      writePrivately(${JSON.stringify(file)}, { keys: [] });`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', revoke], {
      encoding: 'utf8',
    });
    expect(ran.stderr).toContain('is unchanged, because it belongs to another user or group');
    expect([ran.status, readdirSync(place)]).toEqual([1, ['keys.json']]);
    expect(JSON.parse(readFileSync(file, 'utf8')).keys).toHaveLength(1);
    rmSync(place, { recursive: true });
  },
);
