import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeLock } from '../../src/embedded/owner-lock.js';
import { makeTemporaryDirectory } from '../support/embedded.js';

test('the files of a process with the same pid in another container are left alone', () => {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'owner');
  // The lock of a process that has ended.
  writeFileSync(file, `${process.pid} 1\n`);
  const others = [`owner.${process.pid}.new`, `owner.${process.pid}.stale`];
  for (const name of others) writeFileSync(join(folder, name), 'of the other process');
  const lock = takeLock(file);
  expect(readdirSync(folder)).toEqual(['owner', ...others]);
  if (typeof lock === 'string') throw new Error(`The lock belongs to ${lock}.`);
  lock();
  expect(readdirSync(folder)).toEqual(others);
});
